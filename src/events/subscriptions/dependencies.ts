/** What the parts of the subscriptions share, made from their options. */
import { createSharedRateLimiter } from "../../http/shared-rate-limit.ts";
import { createKeyedHash, type InstanceKey } from "../../identity/instance-key.ts";
import { toAccountError } from "../../rules/events/subscriptions/fetch-error.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { EventsStore } from "../store.ts";
import { createFeedUrlCipher } from "./feed-url.ts";
import type { FetchFeed } from "./fetch-feed.ts";
import { createFeedReader } from "./read-feed.ts";
import { refuseSubscription } from "./subscription-input.ts";

export interface SubscriptionsOptions {
  readonly store: EventsStore;
  readonly instanceKey: InstanceKey;
  readonly randomBytes?: RandomBytes | undefined;
  readonly fetchFeed: FetchFeed;
  /** The time zone of accounts without one. */
  readonly defaultTimeZone: string;
  /** The command line: without the quota of an account, and with the exact reason of a failed fetch. */
  readonly forOperator?: boolean;
  readonly now?: () => number;
  /** Returns a number of at least 0 and below 1. */
  readonly random?: () => number;
}

/** The limit is per account, so that the service cannot be used to scan or to overload other servers. */
const MANUAL_FETCH_LIMIT = { requests: 30, windowSeconds: 600 };

export type SubscriptionDependencies = ReturnType<typeof createSubscriptionDependencies>;

export function createSubscriptionDependencies(options: SubscriptionsOptions) {
  const { store, instanceKey, fetchFeed, defaultTimeZone } = options;
  const { forOperator = false, now = Date.now, random = Math.random } = options;
  const manualFetches = createSharedRateLimiter({
    store,
    hash: createKeyedHash(instanceKey, "events/hits"),
    name: "subscription-fetch",
    limit: MANUAL_FETCH_LIMIT,
    now,
  });
  const toShownError = (error: string) => (forOperator ? error : toAccountError(error));
  return {
    store,
    cipher: createFeedUrlCipher(instanceKey, options.randomBytes),
    readFeed: createFeedReader(fetchFeed, now),
    defaultTimeZone,
    /** Whether the number of an account's subscriptions is limited. */
    hasLimits: !forOperator,
    /** Counts a fetch of the account. */
    isLimited: async (accountId: string) =>
      !forOperator && (await manualFetches.consume(accountId)).kind === "limited",
    toShownError,
    refuseFetch: (error: string) =>
      refuseSubscription({ kind: "fetch-failed", code: toShownError(error) }),
    now,
    random,
  };
}
