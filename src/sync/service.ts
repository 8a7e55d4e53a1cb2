/** The personal sync service with its pages. */
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import { OWNER_ROUTES, SIGN_IN_LINK_ROUTES } from "../contract/sync/owner-routes.ts";
import type { OwnerBackups } from "../contract/sync/page-views.ts";
import { SYNC_ROUTES } from "../contract/sync/routes.ts";
import {
  DEFAULT_SYNC_LIMITS,
  SYNC_LIMIT_RANGES,
  type SyncLimits,
} from "../contract/sync/values.ts";
import {
  checkBaseUrl,
  createStoredService,
  guardNotices,
  type StoredService,
  type StoredServiceNotice,
} from "../http/stored-service.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import { createHttpService } from "../http/create-http-service.ts";
import type { RequestContext } from "../http/request.ts";
import type { RequestLines, RequestLog } from "../http/request-log.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import { createSharedRateLimiter } from "../http/shared-rate-limit.ts";
import { createStorageMonitor, type StorageNotice } from "../database/storage-monitor.ts";
import { createAccounts } from "../identity/accounts.ts";
import { limitByNetwork } from "../identity/client-network.ts";
import { createCsrfGuard } from "../identity/csrf.ts";
import { createKeyedHash, toInstanceKey, type InstanceKey } from "../identity/instance-key.ts";
import type { SecurityNotice } from "../identity/security-event.ts";
import { createSecurityLog } from "../identity/security-log.ts";
import { createServerProof } from "../identity/server-proof.ts";
import { randomBytes as strongRandomBytes, type RandomBytes } from "../rules/web-crypto.ts";
import { createAccessTokens } from "./devices/access-tokens.ts";
import { createDeviceTokens } from "./devices/device-tokens.ts";
import { createSyncHandlers } from "./routes.ts";
import { createOwnerHandlers } from "./owner/owner-handlers.ts";
import { createOwnerSessions } from "./owner/owner-sessions.ts";
import { createLiveChanges } from "./changes/live-changes.ts";
import { createAuthentication, createSyncHooks } from "./responses/service-hooks.ts";
import { createPasswordSignIn, readSignInOrigin } from "./sign-in/password-sign-in.ts";
import { createPushHandler } from "./log/push.ts";
import type { PushReaders } from "./log/push-reader.ts";
import { createSignInLinkHandlers } from "./sign-in/sign-in-link.ts";
import { createStorageQuota, type SyncQuota, type TooManyDevicesNotice } from "./log/quota.ts";
import { createRedirectAllowlist, type RedirectEntry } from "./sign-in/redirect-allowlist.ts";
import { SYNC_REALM, type SyncRecords, type SyncStore } from "./store.ts";
import type { SyncObserver } from "./log/sync-observer.ts";
import { createLoginPages } from "./sign-in/web-pages.ts";
import { createOwnerPages } from "./owner/web-pages.ts";
import { ownerPathsOf } from "./owner/owner-paths.ts";

export interface SyncServiceOptions {
  readonly store: SyncStore;
  /** 32 secret bytes, or a key that was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** The public address of the service: https, or http on loopback. */
  readonly baseUrl: string;
  readonly displayName: string;
  readonly redirectUris: readonly RedirectEntry[];
  /** Private-use schemes that are allowed although they have no dot (RFC 8252 7.1). */
  readonly allowedSchemes?: readonly string[];
  /** Exact origins of pages that may use the service; none by default. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<SyncLimits>;
  /** A part of the name of the CSRF header: `Service`, the default, makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  readonly profile?: SyncProfile;
  /** Whether `/` is a page for the owner; true by default. */
  readonly ownerPage?: boolean;
  /** What the owner's page shows of the backups; by default that none is known. */
  readonly readBackups?: () => Promise<OwnerBackups>;
  /** What the instance may use; no limit by default. */
  readonly quota?: SyncQuota;
  /** Readers that several services in one process share. */
  readonly pushReaders?: PushReaders;
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog | RequestLines;
  /** What a program that keeps metrics or traces learns. */
  readonly observer?: RequestObserver & SyncObserver;
  readonly onNotice?: (notice: SyncNotice) => void;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

export type SyncNotice =
  | StoredServiceNotice
  | StorageNotice
  | SecurityNotice
  /** A device was not signed in, because of `quota.devices`. */
  | TooManyDevicesNotice
  /** Open streams may tell of a change late, until the next attempt succeeds. */
  | { readonly kind: "changes-failed"; readonly error: unknown };

export interface SyncService extends StoredService {
  /** Rejects while the store cannot be written. */
  checkReady(): Promise<void>;
  /**
   * Ends the open streams of changes, and opens none any more. A server that stops calls this
   * first: it waits for its responses, and streams do not end by themselves.
   */
  endStreams(): void;
}

const HEADER_PREFIX = /^[A-Za-z0-9-]{1,64}$/;

/** The personal sync service of one instance. */
export function createSyncService(options: SyncServiceOptions): SyncService {
  const { store, baseUrl, displayName, headerPrefix = "Service", now = Date.now } = options;
  if (!HEADER_PREFIX.test(headerPrefix)) {
    throw new Error(`Cannot use the header prefix "${headerPrefix}": use letters, digits, hyphens`);
  }
  checkBaseUrl(baseUrl);
  const { randomBytes = strongRandomBytes } = options;
  const instanceKey = toInstanceKey(options.instanceKey);
  const { onNotice, observer } = options;
  const storage = createStorageMonitor({ probe: () => store.probeWrite(now()), onNotice });
  const security = createSecurityLog<SyncRecords>({
    store,
    now,
    onEvent: (event) => onNotice?.({ kind: "security-event", event }),
  });
  const limits = readLimits(options.limits);
  const createLimiter = (name: "authorize" | "signInLink") =>
    createSharedRateLimiter({
      store,
      hash: createKeyedHash(instanceKey, "sync/hits"),
      name,
      limit: { requests: limits.authorizePerMinute, windowSeconds: 60 },
      now,
    });
  const accounts = createAccounts({ realm: SYNC_REALM, instanceKey, randomBytes });
  const shared = { store, security, instanceKey, accounts, randomBytes, now };
  const signIn = createPasswordSignIn({ ...shared, limiter: createLimiter("authorize") });
  const accessTokens = createAccessTokens(instanceKey);
  const tokens = createDeviceTokens({
    ...shared,
    accessTokens,
    maxDevices: options.quota?.devices,
  });
  const csrfHeader = `X-${headerPrefix}-CSRF`;
  const pages = createLoginPages({ baseUrl, displayName, csrfHeader, randomBytes });
  const notify = guardNotices(onNotice);
  const changes = createLiveChanges({
    store,
    randomBytes,
    now,
    attempt: (task) =>
      storage.tolerate(task).catch((error: unknown) => notify({ kind: "changes-failed", error })),
    onCount: (open) => observer?.streams(open),
  });
  const { profile = "habits" } = options;
  const rules = { maxOperations: limits.maxPushOperations, profile };
  const push = createPushHandler({
    store,
    limits,
    profile,
    now,
    ...(options.pushReaders !== undefined && { reader: options.pushReaders.share(rules) }),
    quota: options.quota?.storage && createStorageQuota(options.quota.storage, now),
    onStored: changes.noteAppend,
    observer,
  });
  const routes = { ...SYNC_ROUTES, ...SIGN_IN_LINK_ROUTES };
  const api = createSyncHandlers({
    store,
    signIn,
    tokens,
    security,
    prove: createServerProof(instanceKey, SYNC_REALM, baseUrl),
    baseUrl,
    displayName,
    redirects: createRedirectAllowlist(options.redirectUris, options.allowedSchemes),
    csrfHeader: csrfHeader.toLowerCase(),
    limits,
    pages,
    push,
    changes,
    observer,
    onNotice: notify,
  });
  const handlers = { ...api, ...createSignInLinkHandlers({ ...shared, pages }) };
  const owner = createOwnerHandlers({
    store,
    security,
    signIn,
    tokens,
    accounts,
    sessions: createOwnerSessions({
      store,
      isHttps: baseUrl.startsWith("https:"),
      randomBytes,
      now,
    }),
    csrf: createCsrfGuard(instanceKey, "sync/forms"),
    pages: createOwnerPages({ displayName, randomBytes, now }),
    origin: new URL(baseUrl).origin,
    maxBytes: options.quota?.storage?.maxBytes ?? null,
    readBackups: options.readBackups ?? (async () => NO_BACKUPS),
    onNotice: notify,
    randomBytes,
    now,
  });
  const hasOwnerPage = options.ownerPage ?? true;
  const hooks = {
    ...createSyncHooks({
      storage,
      baseUrl,
      corsOrigins: options.corsOrigins ?? [],
      csrfHeader: csrfHeader.toLowerCase(),
      pages,
      ownerPaths: ownerPathsOf(hasOwnerPage),
    }),
    authenticate: createAuthentication(store, accessTokens, now),
    maxBodyBytes: limits.maxBodyBytes,
    readClientAddress: createClientAddressReader(options.trustedProxies ?? []),
    rateLimiters: {
      signIn: signIn.admission,
      signInLink: limitByNetwork(createLimiter("signInLink")),
    },
    isKnownBrowser: (context: Pick<RequestContext, "header" | "clientAddress">) =>
      signIn.admission.isKnownBrowser(readSignInOrigin(context).knownBrowser),
    ...(options.log !== undefined && { log: options.log }),
    ...(observer !== undefined && { observer }),
    onUnexpected: (error: unknown, requestId: string) =>
      onNotice?.({ kind: "unexpected-error", requestId, error }),
  };
  const http = hasOwnerPage
    ? createHttpService({ ...routes, ...OWNER_ROUTES }, { ...handlers, ...owner }, hooks)
    : createHttpService(routes, handlers, hooks);
  const close = async () => {
    await changes.close();
    storage.close();
    await push.close();
    await store.close();
  };
  const service = createStoredService({
    http,
    store: { prune: (at) => storage.tolerate(() => store.prune(at)), close },
    now,
    onNotice,
  });
  return { ...service, checkReady: storage.checkReady, endStreams: changes.endAll };
}

const NO_BACKUPS: OwnerBackups = { last: null, failingSince: null };

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
