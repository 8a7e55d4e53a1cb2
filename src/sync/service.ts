/** The personal sync service: `fetch` for embedders, an HTTP service for listeners. */
import { SYNC_ROUTES } from "../contract/sync/routes.ts";
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import {
  DEFAULT_SYNC_LIMITS,
  SYNC_LIMIT_RANGES,
  type SyncLimits,
} from "../contract/sync/values.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import { createHttpService } from "../http/create-http-service.ts";
import type { RawRequest } from "../http/request-context.ts";
import type { RequestLog } from "../http/request-log.ts";
import {
  checkBaseUrl,
  createStoredService,
  type StoredService,
  type StoredServiceNotice,
} from "../http/stored-service.ts";
import { toInstanceKey, type InstanceKey } from "../identity/instance-key.ts";
import { randomBytes as strongRandomBytes, type RandomBytes } from "../rules/web-crypto.ts";
import { createAuthentication } from "./authentication.ts";
import { createSyncHandlers } from "./handlers.ts";
import type { LoginPages } from "./login-pages.ts";
import { createPushes } from "./push.ts";
import { createRedirectAllowlist, type RedirectEntry } from "./redirect-allowlist.ts";
import { createServiceHooks } from "./service-hooks.ts";
import type { SyncStore } from "./store.ts";

export interface SyncServiceOptions {
  readonly store: SyncStore;
  /** 32 secret bytes, or what was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** https, or http on loopback. */
  readonly baseUrl: string;
  readonly displayName: string;
  readonly redirectUris: readonly RedirectEntry[];
  /** Private-use schemes without a dot that are meant. */
  readonly allowedSchemes?: readonly string[];
  /** Exact origins of pages that may use the service; none by default. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<SyncLimits>;
  /** The instance's own name in the CSRF header: `Service` makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  readonly profile?: SyncProfile;
  readonly pages: (settings: PageSettings) => LoginPages;
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog;
  readonly onNotice?: (notice: SyncNotice) => void;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

/** What the sign-in page must know of its instance. */
export interface PageSettings {
  readonly displayName: string;
  readonly csrfHeader: string;
  readonly randomBytes: RandomBytes;
}

export type SyncNotice = StoredServiceNotice;

export type SyncService = StoredService;

const HEADER_PREFIX = /^[A-Za-z0-9-]{1,64}$/;

export function createSyncService(options: SyncServiceOptions): SyncService {
  const { store, headerPrefix = "Service", now = Date.now } = options;
  if (!HEADER_PREFIX.test(headerPrefix)) {
    throw new Error(`Cannot use the header prefix "${headerPrefix}": use letters, digits, hyphens`);
  }
  checkBaseUrl(options.baseUrl);
  const { randomBytes = strongRandomBytes } = options;
  const instanceKey = toInstanceKey(options.instanceKey);
  const authentication = createAuthentication({ store, instanceKey, randomBytes, now });
  const limits = readLimits(options.limits);
  const csrfHeader = `X-${headerPrefix}-CSRF`;
  const pages = options.pages({
    displayName: options.displayName,
    csrfHeader,
    randomBytes,
  });
  const pushes = createPushes({ store, limits, profile: options.profile ?? "habits", now });
  const handlers = createSyncHandlers({
    store,
    authentication,
    baseUrl: options.baseUrl,
    displayName: options.displayName,
    redirects: createRedirectAllowlist(options.redirectUris, options.allowedSchemes),
    csrfHeader: csrfHeader.toLowerCase(),
    limits,
    pages,
    pushes,
  });
  const http = createHttpService(SYNC_ROUTES, handlers, {
    ...createServiceHooks({
      baseUrl: options.baseUrl,
      corsOrigins: options.corsOrigins ?? [],
      csrfHeader: csrfHeader.toLowerCase(),
      pages,
    }),
    authenticate: async (request) => {
      const token = readBearer(request);
      const principal = token === null ? null : await authentication.findAccess(token);
      return principal === null
        ? { kind: "unauthenticated" }
        : { kind: "authenticated", principal };
    },
    maxBodyBytes: limits.maxBodyBytes,
    readClientAddress: createClientAddressReader(options.trustedProxies ?? []),
    ...(options.log !== undefined && { log: options.log }),
    onUnexpected: (error, requestId) =>
      options.onNotice?.({ kind: "unexpected-error", requestId, error }),
  });
  const closing = async () => {
    await pushes.close();
    await store.close();
  };
  return createStoredService({
    http,
    store: { prune: (at) => store.prune(at), close: closing },
    now,
    onNotice: options.onNotice,
  });
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

function readBearer(request: RawRequest): string | null {
  return BEARER.exec(request.header("authorization") ?? "")?.[1] ?? null;
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
