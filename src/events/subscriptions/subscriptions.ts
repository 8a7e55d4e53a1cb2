/** Subscriptions of accounts: what the pages, the command line and the worker do with them. */
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { formatWordRules } from "../../rules/events/ingest/check-word-rules.ts";
import { nextManualFetch } from "../../rules/events/subscriptions/schedule.ts";
import { deleteSource } from "../import/delete-source.ts";
import type { SubscriptionProblem } from "../pages.ts";
import { createSharedRateLimiter } from "../rate-limit.ts";
import type { EventsRecords, EventsStore, Subscription } from "../store.ts";
import type {
  EventSubscriptions,
  SubscriptionOverview,
  SubscriptionRefusal,
} from "../subscriptions-port.ts";
import { parseFeedUrl } from "./feed-url.ts";
import type { FetchFeed } from "./guarded-fetch.ts";
import { previewFeed } from "./preview-feed.ts";
import { createFeedReader } from "./read-feed.ts";
import { readSettings, writeSettings } from "./read-settings.ts";
import {
  claim,
  createRefresher,
  type RefreshOptions,
  type RefreshResult,
  type Refresher,
} from "./refresh-subscription.ts";
import { readReport } from "./subscription-report.ts";
import { createSubscription, readTypedFeed, type TypedFeed } from "./typed-feed.ts";
import { createFeedUrlCipher, type FeedUrlCipher } from "./url-vault.ts";

export interface SubscriptionsOptions {
  readonly store: EventsStore;
  readonly instanceKey: InstanceKey;
  readonly randomBytes?: RandomBytes | undefined;
  readonly fetchFeed: FetchFeed;
  /** For accounts that chose none. */
  readonly defaultTimeZone: string;
  readonly now?: () => number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
}

export interface Subscriptions extends EventSubscriptions {
  /** For the worker. */
  readonly refresher: Refresher;
  /** As an operator asks: without a wait. Null when there is no such subscription. */
  refreshNow(sourceId: string, options?: RefreshOptions): Promise<RefreshResult | null>;
  /** Which subscription of the account has this address, or null. */
  findByUrl(accountId: string, address: string): Promise<Subscription | null>;
}

export const MAX_SUBSCRIPTIONS = 50;

/** What one account may have fetched out of turn, so that nobody scans or wears out others through us. */
const MANUAL_FETCH_LIMIT = { requests: 30, windowSeconds: 600 };

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { store, instanceKey, fetchFeed, defaultTimeZone } = options;
  const { now = Date.now, random = Math.random } = options;
  const vault = createFeedUrlCipher(instanceKey, options.randomBytes);
  const readFeed = createFeedReader(fetchFeed, now);
  const refresher = createRefresher({ store, vault, readFeed, defaultTimeZone, now, random });
  const wishes = createSharedRateLimiter({
    store,
    instanceKey,
    name: "subscription-fetch",
    limit: MANUAL_FETCH_LIMIT,
    now,
  });

  /** Reads a feed that nobody has subscribed to yet. */
  async function tryFeed({ accountId, url, sourceId, settings }: TypedFeed) {
    if ((await wishes.consume(accountId)).kind === "limited") return refuse({ kind: "too-soon" });
    const timeZone = await refresher.readZone(accountId);
    const outcome = await readFeed({ ...settings, url, sourceId, timeZone });
    if (outcome.kind === "failed") return refuse({ kind: "fetch-failed", fault: outcome.fault });
    if (outcome.kind === "unchanged") throw new Error("A feed nobody knows cannot be unchanged");
    return { ...outcome, timeZone };
  }

  async function subscribe(typed: TypedFeed) {
    const { accountId, sourceId } = typed;
    const findHindrance = async ({ subscriptions }: EventsRecords) => {
      const present = await subscriptions.list(accountId);
      if (present.some(({ urlHash }) => urlHash === sourceId)) return "already-subscribed";
      return present.length >= MAX_SUBSCRIPTIONS ? "too-many" : null;
    };
    const early = await store.transaction(findHindrance);
    if (early !== null) return refuse({ kind: early });
    const outcome = await tryFeed(typed);
    if (outcome.kind === "refused") return outcome;

    const claimed = claim(createSubscription(typed, vault, now()), now());
    const hindrance = await store.transaction(async (records) => {
      const found = await findHindrance(records);
      if (found !== null) return found;
      const { createdAt } = claimed;
      // The id is unique, so it serves as the name too; people see that of the subscription.
      const names = { sourceId, name: sourceId } as const;
      await records.sources.findOrAdd({ ...names, accountId, kind: "subscription", createdAt });
      await records.subscriptions.add(claimed);
      return null;
    });
    if (hindrance !== null) return refuse({ kind: hindrance });
    await refresher.take(claimed, outcome, outcome.timeZone);
    return { kind: "subscribed", sourceId } as const;
  }

  /** Runs `change` on a subscription of the account, in one transaction. */
  function change<T>(
    accountId: string,
    sourceId: string,
    run: (found: Subscription, records: EventsRecords) => Promise<T>,
  ): Promise<T | SubscriptionRefusal> {
    return store.transaction(async (records) => {
      const found = await records.subscriptions.find(sourceId);
      if (found === null || found.accountId !== accountId) return refuse({ kind: "not-found" });
      return run(found, records);
    });
  }

  return {
    refresher,
    async preview(accountId, fields) {
      const read = readTypedFeed(accountId, fields, vault);
      if (read.kind === "refused") return read;
      const outcome = await tryFeed(read.typed);
      if (outcome.kind === "refused") return outcome;
      return { kind: "previewed", preview: previewFeed(outcome.feed, now()) };
    },
    async subscribe(accountId, fields) {
      const read = readTypedFeed(accountId, fields, vault);
      return read.kind === "refused" ? read : subscribe(read.typed);
    },
    async save(accountId, sourceId, typed) {
      const read = readSettings(typed);
      if (!read.ok) return refuse(read.problem);
      return change(accountId, sourceId, async (found, { subscriptions }) => {
        const { rules, defaultType } = read.settings;
        const named = { ...found, name: read.settings.name || found.name };
        const isTypedAnew =
          defaultType !== found.defaultType ||
          formatWordRules(rules) !== formatWordRules(found.rules);
        await subscriptions.update(
          isTypedAnew ? readAnew({ ...named, rules, defaultType }, now()) : named,
        );
        return { kind: "saved" } as const;
      });
    },
    async refresh(accountId, sourceId, refreshOptions) {
      if ((await wishes.consume(accountId)).kind === "limited") return refuse({ kind: "too-soon" });
      const claimed = await change(accountId, sourceId, async (found, { subscriptions }) => {
        if (nextManualFetch(found.lastFetchedAt, now()) > now())
          return refuse({ kind: "too-soon" });
        const claimed = claim(found, now());
        await subscriptions.update(claimed);
        return claimed;
      });
      if ("kind" in claimed) return claimed;
      const outcome = await refresher.refresh(claimed, refreshOptions);
      if (outcome.kind === "failed") return refuse({ kind: "fetch-failed", fault: outcome.fault });
      return { kind: "refreshed" };
    },
    async unsubscribe(accountId, sourceId) {
      const claimed = await change(accountId, sourceId, async (found, { subscriptions }) => {
        // Whoever is importing it right now loses their claim.
        await subscriptions.update(claim(found, now()));
        return null;
      });
      if (claimed !== null) return claimed;
      await deleteSource(store, accountId, sourceId, now);
      return { kind: "unsubscribed" };
    },
    async list(accountId) {
      const found = await store.reads.subscriptions.list(accountId);
      return found.map((subscription) => toOverview(subscription, vault));
    },
    async findSettings(accountId, sourceId) {
      const found = await store.reads.subscriptions.find(sourceId);
      return found === null || found.accountId !== accountId ? null : writeSettings(found);
    },
    async refreshNow(sourceId, refreshOptions) {
      const claimed = await store.transaction(async ({ subscriptions }) => {
        const found = await subscriptions.find(sourceId);
        if (found === null) return null;
        const claimed = claim(found, now());
        await subscriptions.update(claimed);
        return claimed;
      });
      return claimed === null ? null : refresher.refresh(claimed, refreshOptions);
    },
    async findByUrl(accountId, address) {
      const parsed = parseFeedUrl(address);
      if (!parsed.ok) return null;
      const sourceId = vault.hash(accountId, parsed.url);
      return store.transaction(({ subscriptions }) => subscriptions.find(sourceId));
    },
  };
}

/**
 * What the account's clocks say has changed, and with it the dates of entries: all its feeds are read
 * in full again. Part of the transaction that changes the profile.
 */
export async function readFeedsAnew(
  { subscriptions }: EventsRecords,
  accountId: string,
  now: number,
): Promise<void> {
  for (const subscription of await subscriptions.list(accountId)) {
    await subscriptions.update(readAnew(subscription, now));
  }
}

/** As soon as a person may ask for it; and whoever is importing it right now begins again. */
function readAnew(subscription: Subscription, now: number): Subscription {
  const nextFetchAt = nextManualFetch(subscription.lastFetchedAt, now);
  return { ...subscription, etag: null, lastModified: null, nextFetchAt };
}

function toOverview(subscription: Subscription, vault: FeedUrlCipher): SubscriptionOverview {
  const { sealedUrl, urlHash: _, report, ...rest } = subscription;
  const url = vault.open(subscription.accountId, sealedUrl);
  return {
    ...rest,
    host: url?.origin ?? "",
    report: readReport(report)?.summary ?? null,
  };
}

function refuse(problem: SubscriptionProblem): SubscriptionRefusal {
  return { kind: "refused", problem };
}
