import type { SecurityCount, SecurityEventKind } from "../identity/security-event.ts";

const LABELS: Readonly<Record<SecurityEventKind, readonly [one: string, many: string]>> = {
  "refresh-token-reuse": ["reused refresh token", "reused refresh tokens"],
  "code-replay": ["replayed authorization code", "replayed authorization codes"],
  "throttling-begun": ["start of sign-in throttling", "starts of sign-in throttling"],
  "new-device": ["sign-in of a new device", "sign-ins of new devices"],
  "password-changed": ["change of a password", "changes of passwords"],
  "device-signed-out": ["sign-out of a device", "sign-outs of devices"],
  "signed-out-everywhere": ["sign-out everywhere", "sign-outs everywhere"],
  "store-restored": [
    "put-back that the high-water mark showed",
    "put-backs that the high-water mark showed",
  ],
  "store-put-back": ["put-back that a device showed", "put-backs that devices showed"],
  "worker-death": ["worker that ended unexpectedly", "workers that ended unexpectedly"],
};

/** "2 reused refresh tokens, the last on 2026-08-21T10:15:30.000Z". */
export function describeSecurityCount({ kind, total, lastAt }: SecurityCount): string {
  const [one, many] = LABELS[kind];
  const time = new Date(lastAt).toISOString();
  return total === 1
    ? `1 ${one}, on ${time}`
    : `${total.toLocaleString("en-US")} ${many}, the last on ${time}`;
}
