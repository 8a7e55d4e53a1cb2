/** What the capabilities of the service share, made from its options. */
import {
  DEFAULT_SYNC_LIMITS,
  SYNC_LIMIT_RANGES,
  type SyncLimits,
} from "../../contract/sync/values.ts";
import { createStorageMonitor } from "../../database/storage-monitor.ts";
import { checkBaseUrl, guardNotices } from "../../http/stored-service.ts";
import { createAccounts } from "../../identity/accounts.ts";
import { toInstanceKey } from "../../identity/instance-key.ts";
import { createPasskeys } from "../../identity/passkeys/passkeys.ts";
import { createRelyingParty } from "../../identity/passkeys/relying-party.ts";
import { createSecurityLog } from "../../identity/security-log.ts";
import { createServerProof } from "../../identity/server-proof.ts";
import { randomBytes as strongRandomBytes } from "../../rules/web-crypto.ts";
import { createOwnerSessions } from "../owner/owner-sessions.ts";
import { createRedirectAllowlist } from "../sign-in/redirect-allowlist.ts";
import { createLoginPages } from "../sign-in/web-pages.ts";
import { SYNC_REALM, type SyncRecords } from "../store.ts";
import type { SyncServiceOptions } from "./options.ts";
import { isLoopbackAddress } from "../sign-in/loopback-address.ts";

export type SyncDependencies = ReturnType<typeof createDependencies>;

export function createDependencies(options: SyncServiceOptions) {
  const { store, baseUrl, displayName, onNotice, now = Date.now } = options;
  const { randomBytes = strongRandomBytes } = options;
  checkBaseUrl(baseUrl);
  const { allowLoopbackApps = false } = options;
  if (allowLoopbackApps && !isLoopbackAddress(baseUrl)) {
    throw new Error(`Cannot allow every app on this machine at "${baseUrl}": use it on loopback`);
  }
  const csrfHeader = nameCsrfHeader(options.headerPrefix);
  const instanceKey = toInstanceKey(options.instanceKey);
  const rp = createRelyingParty(baseUrl, displayName);
  return {
    store,
    storage: createStorageMonitor({ probe: () => store.probeWrite(now()), onNotice }),
    security: createSecurityLog<SyncRecords>({
      store,
      now,
      onEvent: (event) => onNotice?.({ kind: "security-event", event }),
    }),
    instanceKey,
    accounts: createAccounts({ realm: SYNC_REALM, instanceKey, randomBytes }),
    /** Null where browsers have no passkeys. */
    passkeys:
      rp === null ? null : createPasskeys({ realm: SYNC_REALM, rp, instanceKey, randomBytes }),
    prove: createServerProof(instanceKey, SYNC_REALM, baseUrl),
    baseUrl,
    displayName,
    allowLoopbackApps,
    redirects: createRedirectAllowlist(
      options.redirectUris,
      options.allowedSchemes,
      allowLoopbackApps,
    ),
    csrfHeader: csrfHeader.toLowerCase(),
    limits: readLimits(options.limits),
    profile: options.profile ?? "habits",
    quota: options.quota,
    pushReaders: options.pushReaders,
    readBackups: options.readBackups ?? (async () => ({ last: null, failingSince: null })),
    ownerSessions: createOwnerSessions({
      store,
      isHttps: new URL(baseUrl).protocol === "https:",
      randomBytes,
      now,
    }),
    pages: createLoginPages({
      baseUrl,
      displayName,
      csrfHeader,
      hasOwnerPage: options.ownerPage ?? true,
      randomBytes,
    }),
    observer: options.observer,
    onNotice: guardNotices(onNotice),
    randomBytes,
    now,
  };
}

const HEADER_PREFIX = /^[A-Za-z0-9-]{1,64}$/;

function nameCsrfHeader(prefix = "Service"): string {
  if (HEADER_PREFIX.test(prefix)) return `X-${prefix}-CSRF`;
  throw new Error(`Cannot use the header prefix "${prefix}": use letters, digits, hyphens`);
}

function readLimits(given: Partial<SyncLimits> = {}): SyncLimits {
  const limits = { ...DEFAULT_SYNC_LIMITS, ...given };
  for (const [name, { minimum, maximum }] of Object.entries(SYNC_LIMIT_RANGES)) {
    const value = limits[name as keyof SyncLimits];
    if (!Number.isInteger(value) || value < minimum || value > maximum) {
      throw new Error(`limits.${name} must be an integer from ${minimum} to ${maximum}`);
    }
  }
  return limits;
}
