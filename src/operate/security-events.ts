/** How each security event is reported: in the log, in the counts of a status, and by the doctor. */
import { DAY_MS } from "../contract/durations.ts";
import type { LogLevel } from "../http/request-log.ts";
import {
  isOwnerEvent,
  type SecurityCount,
  type SecurityEvent,
  type SecurityEventKind,
} from "../identity/security-event.ts";

interface SecurityText {
  /** The first word of the event's line in the log. */
  readonly event: string;
  /** What the event means for the operator. */
  readonly message: string;
  readonly one: string;
  readonly many: string;
  /** What to do about the event; null for what owners do in the course of things. */
  readonly remedy: string | null;
}

const TEXTS: Readonly<Record<SecurityEventKind, SecurityText>> = {
  "refresh-token-reuse": {
    event: "refresh_token_reused",
    message: "A copy of a refresh token was used: its device was revoked and must sign in again",
    one: "reused refresh token",
    many: "reused refresh tokens",
    remedy:
      "find `refresh_token_reused` in the log; if its network is not yours, change the password",
  },
  "code-replay": {
    event: "code_replayed",
    message: "An authorization code was used again: the sign-in of its first use was revoked",
    one: "replayed authorization code",
    many: "replayed authorization codes",
    remedy: "find `code_replayed` in the log; if its network is not yours, change the password",
  },
  "throttling-begun": {
    event: "throttling_begun",
    message: "Many sign-ins failed: further ones of this name or network must wait",
    one: "start of sign-in throttling",
    many: "starts of sign-in throttling",
    remedy: "find `throttling_begun` in the log; if it goes on, block its network at the proxy",
  },
  "new-device": {
    event: "new_device",
    message: "A device or browser signed in that was not signed in before",
    one: "sign-in of a new device or browser",
    many: "sign-ins of new devices or browsers",
    remedy: null,
  },
  "password-changed": {
    event: "password_changed",
    message: "The password of an account was changed",
    one: "change of a password",
    many: "changes of passwords",
    remedy: null,
  },
  "device-signed-out": {
    event: "device_signed_out",
    message: "A device or browser was signed out",
    one: "sign-out of a device or browser",
    many: "sign-outs of devices or browsers",
    remedy: null,
  },
  "signed-out-everywhere": {
    event: "signed_out_everywhere",
    message: "Every device and browser was signed out",
    one: "sign-out everywhere",
    many: "sign-outs everywhere",
    remedy: null,
  },
  "everything-deleted": {
    event: "everything_deleted",
    message:
      "The owner deleted everything: the data, the devices and the account. Earlier backups still contain it",
    one: "deletion of everything by the owner",
    many: "deletions of everything by the owner",
    remedy: null,
  },
  "sign-in-link-made": {
    event: "sign_in_link_made",
    message: "A sign-in link was created on the command line",
    one: "sign-in link made",
    many: "sign-in links made",
    remedy: null,
  },
  "sign-in-link-used": {
    event: "sign_in_link_used",
    message: "A browser used a sign-in link: it no longer waits while attackers guess",
    one: "sign-in link used",
    many: "sign-in links used",
    remedy: null,
  },
  "invitation-made": {
    event: "invitation_made",
    message: "An invitation was created on the command line",
    one: "invitation made",
    many: "invitations made",
    remedy: null,
  },
  "invitation-used": {
    event: "invitation_used",
    message: "A person created an account with an invitation",
    one: "invitation used",
    many: "invitations used",
    remedy: null,
  },
  "reset-link-made": {
    event: "reset_link_made",
    message: "A reset link was created on the command line",
    one: "reset link made",
    many: "reset links made",
    remedy: null,
  },
  "reset-link-used": {
    event: "reset_link_used",
    message: "A person set a new password with a reset link: all earlier sign-ins ended",
    one: "reset link used",
    many: "reset links used",
    remedy: null,
  },
  "passkey-added": {
    event: "passkey_added",
    message: "A passkey was added to an account",
    one: "passkey added",
    many: "passkeys added",
    remedy: null,
  },
  "passkey-removed": {
    event: "passkey_removed",
    message: "A passkey of an account was removed",
    one: "passkey removed",
    many: "passkeys removed",
    remedy: null,
  },
  "passkey-counter-went-back": {
    event: "passkey_counter_went_back",
    message:
      "A passkey signed with a counter that is not above its last one: the sign-in was refused, because there may be a copy of the passkey",
    one: "passkey whose counter went back",
    many: "passkeys whose counters went back",
    remedy:
      "find `passkey_counter_went_back` in the log; if its owner cannot explain it, have the passkey removed and a new one added",
  },
  "store-restored": {
    event: "store_was_behind",
    message:
      "The store was rolled back, it is behind its high-water mark: a new generation begins, and devices sync from the start",
    one: "rollback that the high-water mark showed",
    many: "rollbacks that the high-water mark showed",
    remedy: "if you did not roll it back, find out who did",
  },
  "store-rolled-back": {
    event: "store_rolled_back",
    message:
      "A device knows a later history than the store: the whole data folder, volume or database was rolled back. Devices send what it lacks again, but revoked devices and an old password are valid again: revoke all devices, and set the password again",
    one: "rollback that a device showed",
    many: "rollbacks that devices showed",
    remedy:
      "revocations and a new password since the copy are undone: run `trellis sync devices revoke --all`, then `trellis sync account password`; if you did not roll it back, find out who did",
  },
  "worker-death": {
    event: "worker_died",
    message: "A worker ended without being told to; another one is started",
    one: "worker that ended unexpectedly",
    many: "workers that ended unexpectedly",
    remedy: "find `worker_died` in the log, and the reason in the journal of the system",
  },
};

export type LogLine = [event: string, fields: Readonly<Record<string, unknown>>, level: LogLevel];

export function describeSecurityEvent(service: string, { kind, network }: SecurityEvent): LogLine {
  const { event, message } = TEXTS[kind];
  const level = isOwnerEvent(kind) ? "info" : "warn";
  return [event, { service, message, ...(network !== null && { network }) }, level];
}

/** "2 reused refresh tokens, the last on 2026-08-21T10:15:30.000Z". */
export function describeSecurityCount({ kind, total, lastAt }: SecurityCount): string {
  const { one, many } = TEXTS[kind];
  const time = new Date(lastAt).toISOString();
  return total === 1
    ? `1 ${one}, on ${time}`
    : `${total.toLocaleString("en-US")} ${many}, the last on ${time}`;
}

/** Counts are never reset, so only recent events ask for attention. */
const RECENT_EVENTS_MS = 7 * DAY_MS;

/** What to do about recent events; null when they need no attention. */
export function findSecurityRemedy({ kind, lastAt }: SecurityCount, now: number): string | null {
  return now - lastAt > RECENT_EVENTS_MS ? null : TEXTS[kind].remedy;
}
