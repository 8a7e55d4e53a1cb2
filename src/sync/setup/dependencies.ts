/** What the capabilities of the service share, made from its options. */
import {
  DEFAULT_SYNC_LIMITS,
  SYNC_LIMIT_RANGES,
  type SyncLimits,
} from "../../contract/sync/values.ts";
import { createStorageMonitor } from "../../database/storage-monitor.ts";
import { checkBaseUrl, guardNotices } from "../../http/stored-service.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { createSharedRateLimiter } from "../../http/shared-rate-limit.ts";
import { createAccountAccess } from "../../identity/account/account-access.ts";
import { createKeyedHash, toInstanceKey, type InstanceKey } from "../../identity/instance-key.ts";
import { createServerProof } from "../../identity/server-proof.ts";
import { randomBytes as strongRandomBytes } from "../../rules/web-crypto.ts";
import { createRedirectAllowlist } from "../sign-in/redirect-allowlist.ts";
import { createLoginPages } from "../sign-in/web-pages.ts";
import { SYNC_REALM, type SyncRecords, type SyncStore } from "../store.ts";
import { createSyncAccountService } from "./account.ts";
import type { SyncServiceOptions } from "./options.ts";
import { isLoopbackAddress } from "../sign-in/loopback-address.ts";

export type SyncDependencies = ReturnType<typeof createDependencies>;

export function createDependencies(options: SyncServiceOptions) {
  const { store, baseUrl, displayName, onNotice, now = Date.now } = options;
  const { randomBytes = strongRandomBytes } = options;
  checkBaseUrl(baseUrl);
  const { allowLoopbackApps = false, ownerPage: hasOwnerPage = true } = options;
  if (allowLoopbackApps && !isLoopbackAddress(baseUrl)) {
    throw new Error(`Cannot allow every app on this machine at "${baseUrl}": use it on loopback`);
  }
  const csrfHeader = nameCsrfHeader(options.headerPrefix);
  const instanceKey = toInstanceKey(options.instanceKey);
  const limits = readLimits(options.limits);
  const createLimiter = createLimiters(store, instanceKey, limits, now);
  const account = createAccountAccess<SyncRecords>({
    service: createSyncAccountService(hasOwnerPage),
    store: { transaction: store.transaction, findSession: store.findBrowserSession, reads: store },
    instanceKey,
    baseUrl,
    displayName,
    limiter: createLimiter("authorize"),
    onSecurityEvent: (event) => onNotice?.({ kind: "security-event", event }),
    randomBytes,
    now,
  });
  return {
    store,
    storage: createStorageMonitor({ probe: () => store.probeWrite(now()), onNotice }),
    account,
    security: account.security,
    createLimiter,
    instanceKey,
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
    limits,
    profile: options.profile ?? "habits",
    quota: options.quota,
    pushReaders: options.pushReaders,
    readBackups: options.readBackups ?? (async () => ({ last: null, failingSince: null })),
    pages: createLoginPages({
      baseUrl,
      displayName,
      csrfHeader,
      hasOwnerPage,
      randomBytes,
    }),
    observer: options.observer,
    onNotice: guardNotices(onNotice),
    randomBytes,
    now,
  };
}

function createLimiters(
  store: SyncStore,
  instanceKey: InstanceKey,
  { authorizePerMinute }: SyncLimits,
  now: () => number,
) {
  const hash = createKeyedHash(instanceKey, "sync/hits");
  const signIns: RateLimit = { requests: authorizePerMinute, windowSeconds: 60 };
  return (name: "authorize" | "signInLink" | "welcome", limit = signIns) =>
    createSharedRateLimiter({ store, hash, name, limit, now });
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
