/** What the handlers of the service share, made from the options of the service. */
import { DEFAULT_EVENTS_RATE_LIMITS, type EventsRateLimits } from "../../contract/events/values.ts";
import { WELCOME_LIMIT } from "../../contract/welcome.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { createSharedRateLimiter } from "../../http/shared-rate-limit.ts";
import { checkBaseUrl, guardNotices } from "../../http/stored-service.ts";
import { createAccountAccess } from "../../identity/account/account-access.ts";
import { limitByNetwork } from "../../identity/client-network.ts";
import { createKeyedHash, toInstanceKey, type InstanceKey } from "../../identity/instance-key.ts";
import { findRedirectError } from "../../identity/redirect-error.ts";
import { createServerProof } from "../../identity/server-proof.ts";
import { parseTimeZone } from "../../rules/events/ingest/time-zone.ts";
import type { RegisteredClient } from "../../rules/events/wire/authorization.ts";
import { randomBytes as strongRandomBytes } from "../../rules/web-crypto.ts";
import { createGrants } from "../oauth/grants.ts";
import { createInteractions } from "../oauth/interactions.ts";
import { createPageSessions } from "../sign-in/page-sessions.ts";
import { EVENTS_REALM, type EventsRecords } from "../store.ts";
import { createEventsAccountService } from "./account.ts";
import type { ComposedEventsOptions } from "./options.ts";

export type EventsDependencies = ReturnType<typeof createDependencies>;

export function createDependencies(options: ComposedEventsOptions) {
  const { store, clients, serviceName, subscriptions, onNotice, now = Date.now } = options;
  checkClients(clients);
  const issuer = readIssuer(options.baseUrl);
  const isHttps = issuer.startsWith("https:");
  const timeZone = readTimeZone(options.timeZone);
  const { randomBytes = strongRandomBytes } = options;
  const instanceKey = toInstanceKey(options.instanceKey);
  const interactions = createInteractions(store, randomBytes, now);
  const pages = options.pages({ randomBytes, now });
  const { signIn: limiter, ...limiters } = createLimiters(options, instanceKey, now);
  const account = createAccountAccess<EventsRecords>({
    service: createEventsAccountService(isHttps, timeZone),
    store: { ...store, reads: store.reads.identity },
    instanceKey,
    baseUrl: issuer,
    displayName: serviceName,
    limiter,
    onSecurityEvent: (event) => onNotice?.({ kind: "security-event", event }),
    randomBytes,
    now,
  });
  const { security } = account;
  return {
    store,
    storage: options.storage,
    account,
    /** The public origin, as in the metadata and in `iss`. */
    issuer,
    isHttps,
    /** The time zone of accounts without a profile. */
    timeZone,
    clients,
    limiters: { ...limiters, signIn: account.waysIn.admission },
    sessions: createPageSessions({ store, account, interactions, pages, serviceName, timeZone }),
    interactions,
    grants: createGrants({ store, security, randomBytes, clients, now }),
    prove: createServerProof(instanceKey, EVENTS_REALM, issuer),
    subscriptions,
    pages,
    onNotice: guardNotices(onNotice),
    randomBytes,
    now,
  };
}

/** RFC 8414 2: an issuer has no query and no fragment; this one has no path either. */
function readIssuer(baseUrl: string): string {
  checkBaseUrl(baseUrl);
  const { origin, href } = new URL(baseUrl);
  if (href !== `${origin}/`) {
    throw new Error(`baseUrl must be an origin without a path, not "${baseUrl}"`);
  }
  return origin;
}

function checkClients(clients: readonly RegisteredClient[]): void {
  if (clients.length === 0) throw new Error("At least one client is needed");
  const ids = new Set(clients.map(({ id }) => id));
  if (ids.size < clients.length) throw new Error("Two clients have the same id");
  for (const { id, name, redirectUris } of clients) {
    if (id === "" || name === "") throw new Error(`The client "${id}" needs an id and a name`);
    if (redirectUris.length === 0) throw new Error(`The client "${id}" has no redirect URI`);
    for (const uri of redirectUris) {
      // Redirect URIs are listed exactly, so a private-use scheme without a dot is intended.
      const error = findRedirectError(uri, "any");
      if (error !== null) {
        throw new Error(`Cannot use the redirect URI "${uri}" of the client "${id}": ${error}`);
      }
    }
  }
}

function readTimeZone(given = "UTC"): string {
  const timeZone = parseTimeZone(given);
  if (timeZone === null) throw new Error(`timeZone must be an IANA name, not "${given}"`);
  return timeZone;
}

/** Sign-ins and links have the limit of authorization requests, and are counted apart: sign-ins by `clientShares`. */
function createLimiters(
  { store, limits: given }: ComposedEventsOptions,
  instanceKey: InstanceKey,
  now: () => number,
) {
  const limits = readLimits(given);
  const hash = createKeyedHash(instanceKey, "events/hits");
  const create = (
    name: "authorize" | "signIn" | "signInLink" | "welcome" | "token" | "events",
    limit: RateLimit,
  ) => createSharedRateLimiter({ store, hash, name, limit, now });
  return {
    authorize: limitByNetwork(create("authorize", limits.authorize)),
    signIn: create("signIn", limits.authorize),
    signInLink: limitByNetwork(create("signInLink", limits.authorize)),
    welcome: limitByNetwork(create("welcome", WELCOME_LIMIT)),
    token: limitByNetwork(create("token", limits.token)),
    events: create("events", limits.events),
  };
}

/** Windows of counters last a day at most. */
const DAY_SECONDS = 86_400;

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

function isCount(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}
