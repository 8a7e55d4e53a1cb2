/** The events service: `fetch` for embedders, an HTTP service for listeners. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../contract/events/routes.ts";
import {
  DEFAULT_EVENTS_RATE_LIMITS,
  LOGIN_PURPOSE,
  MAX_PAGE_BODY_BYTES,
  type EventsRateLimits,
} from "../contract/events/values.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import { createHttpService } from "../http/create-http-service.ts";
import type { RateLimit, RateLimiter } from "../http/rate-limit.ts";
import type { RequestLog } from "../http/request-log.ts";
import {
  checkBaseUrl,
  createStoredService,
  type StoredService,
  type StoredServiceNotice,
} from "../http/stored-service.ts";
import { createAccounts } from "../identity/accounts.ts";
import { clientNetwork } from "../identity/client-network.ts";
import { toInstanceKey, type InstanceKey } from "../identity/instance-key.ts";
import { randomBytes as strongRandomBytes, type RandomBytes } from "../rules/web-crypto.ts";
import { createSignIn } from "../identity/sign-in.ts";
import { createThrottle } from "../identity/throttle.ts";
import type { RegisteredClient } from "../rules/events/wire/check-authorization.ts";
import { checkClients } from "./check-clients.ts";
import { createCookies } from "./cookies.ts";
import { createCsrfGuard } from "./forgery-guard.ts";
import { createEventsHandlers } from "./handlers.ts";
import { authenticateBearer } from "./list-events.ts";
import { createGrants } from "./oauth/grants.ts";
import { createInteractions } from "./oauth/interactions.ts";
import type { EventsPages, EventsPageSettings } from "./pages.ts";
import type { EventsDependencies } from "./parts.ts";
import { createSharedRateLimiter } from "./rate-limit.ts";
import { EVENTS_REALM } from "./realm.ts";
import { createServiceHooks } from "./service-hooks.ts";
import { createSessions } from "./sessions.ts";
import type { EventsStore } from "./store.ts";
import type { EventSubscriptions } from "./subscriptions-port.ts";
import { parseTimeZone } from "./time-zones.ts";
import { createPageSessions } from "./visits.ts";

export interface EventsServiceOptions {
  readonly store: EventsStore;
  /** 32 secret bytes, or what was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** An origin: https, or http on loopback. */
  readonly baseUrl: string;
  /** What people call it. */
  readonly serviceName: string;
  /** The apps that may ask for leave. They are public: none has a secret. */
  readonly clients: readonly RegisteredClient[];
  /** The zone of accounts that have chosen none; UTC unless told. */
  readonly timeZone?: string;
  readonly limits?: Partial<EventsRateLimits>;
  readonly subscriptions: EventSubscriptions;
  readonly pages: (settings: EventsPageSettings) => EventsPages;
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog;
  readonly onNotice?: (notice: EventsNotice) => void;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

export type EventsNotice = StoredServiceNotice;

export type EventsService = StoredService;

export function createEventsService(options: EventsServiceOptions): EventsService {
  const { store, now = Date.now } = options;
  const parts = createParts(options, now);
  const { pages, visits, grants } = parts;
  const http = createHttpService(
    { ...EVENTS_ROUTES, ...EVENTS_PAGE_ROUTES },
    createEventsHandlers(parts),
    {
      ...createServiceHooks({
        isHttps: parts.issuer.startsWith("https:"),
        pages,
        visits,
      }),
      authenticate: (request) => authenticateBearer(grants, request),
      rateLimiters: parts.limiters,
      rateLimitKey: ({ grantId }) => grantId,
      maxBodyBytes: MAX_PAGE_BODY_BYTES,
      readClientAddress: createClientAddressReader(options.trustedProxies ?? []),
      ...(options.log !== undefined && { log: options.log }),
      onUnexpected: (error, requestId) =>
        options.onNotice?.({ kind: "unexpected-error", requestId, error }),
    },
  );
  return createStoredService({ http, store, now, onNotice: options.onNotice });
}

function createParts(options: EventsServiceOptions, now: () => number): EventsDependencies {
  const { store, serviceName } = options;
  const issuer = readIssuer(options.baseUrl);
  checkClients(options.clients);
  const timeZone = readTimeZone(options.timeZone);
  const { randomBytes = strongRandomBytes } = options;
  const instanceKey = toInstanceKey(options.instanceKey);
  const cookies = createCookies(issuer.startsWith("https:"));
  const guard = createCsrfGuard(instanceKey);
  const sessions = createSessions({ store, cookies, randomBytes, now });
  const accounts = createAccounts({ realm: EVENTS_REALM, instanceKey, randomBytes });
  const throttle = createThrottle(EVENTS_REALM, instanceKey);
  const limits = readLimits(options.limits);
  const createLimiter = (name: keyof EventsDependencies["limiters"], limit: RateLimit) =>
    createSharedRateLimiter({ store, instanceKey, name, limit, now });
  const byNetwork = ({ consume }: RateLimiter): RateLimiter => ({
    consume: (address) => consume(clientNetwork(address)),
  });
  return {
    store,
    issuer,
    clients: options.clients,
    limiters: {
      authorize: byNetwork(createLimiter("authorize", limits.authorize)),
      signIn: byNetwork(createLimiter("signIn", limits.authorize)),
      token: byNetwork(createLimiter("token", limits.token)),
      events: createLimiter("events", limits.events),
    },
    cookies,
    guard,
    sessions,
    visits: createPageSessions({ store, sessions, guard, serviceName, timeZone }),
    interactions: createInteractions(randomBytes, now),
    grants: createGrants({ store, randomBytes, clients: options.clients, now }),
    accounts,
    signIn: createSignIn({ purpose: LOGIN_PURPOSE, accounts, throttle, randomBytes }),
    subscriptions: options.subscriptions,
    pages: options.pages({ randomBytes, now }),
    randomBytes,
    now,
  };
}

/** RFC 8414 2: the issuer is an address without query and fragment; ours has no path either. */
function readIssuer(baseUrl: string): string {
  checkBaseUrl(baseUrl);
  const { origin, href } = new URL(baseUrl);
  if (href !== `${origin}/`) {
    throw new Error(`baseUrl must be an origin without a path, not "${baseUrl}"`);
  }
  return origin;
}

function readTimeZone(given = "UTC"): string {
  const timeZone = parseTimeZone(given);
  if (timeZone === null) throw new Error(`timeZone must be an IANA name, not "${given}"`);
  return timeZone;
}

function readLimits(given: Partial<EventsRateLimits> = {}): EventsRateLimits {
  const limits = { ...DEFAULT_EVENTS_RATE_LIMITS, ...given };
  for (const [name, { requests, windowSeconds }] of Object.entries(limits)) {
    if (!isCount(requests, Number.MAX_SAFE_INTEGER) || !isCount(windowSeconds, DAY_SECONDS)) {
      throw new Error(
        `limits.${name} must be integers from 1, with a window of at most ${DAY_SECONDS} seconds`,
      );
    }
  }
  return limits;
}

/** The store prunes counters after a day. */
const DAY_SECONDS = 86_400;

function isCount(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}
