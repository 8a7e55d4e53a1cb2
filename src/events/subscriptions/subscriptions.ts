/** Subscriptions of accounts, for the pages, the command line and the worker. */
import { formatWordRules } from "../../rules/events/ingest/word-rules.ts";
import { nextManualFetch } from "../../rules/events/subscriptions/schedule.ts";
import type { SubscriptionItem } from "../pages.ts";
import type { EventsRecords, Subscription } from "../store.ts";
import { deleteSource } from "./delete-source.ts";
import { createSubscriptionDependencies, type SubscriptionsOptions } from "./dependencies.ts";
import { parseFeedUrl, type FeedUrlCipher } from "./feed-url.ts";
import {
  claim,
  createRefresher,
  readReport,
  type RefreshOptions,
  type RefreshResult,
  type Refresher,
} from "./refresh-subscription.ts";
import { createNewSubscriptions, type NewSubscriptions } from "./new-subscriptions.ts";
import {
  readSettings,
  refuseSubscription,
  settingsToFields,
  type SubscriptionFailure,
  type SubscriptionSettingsFields,
} from "./subscription-input.ts";

export type SubscriptionOverview = Omit<Subscription, "sealedUrl" | "urlHash" | "report"> &
  SubscriptionItem;

/** What the pages need. Subscriptions of another account are not found. */
export interface EventSubscriptions extends NewSubscriptions {
  save(
    accountId: string,
    sourceId: string,
    fields: SubscriptionSettingsFields,
  ): Promise<{ readonly kind: "saved" } | SubscriptionFailure>;
  /** Fetches now, unless the last fetch was a moment ago. */
  refresh(
    accountId: string,
    sourceId: string,
    options?: Pick<RefreshOptions, "acceptShrink">,
  ): Promise<{ readonly kind: "refreshed" } | SubscriptionFailure>;
  /** Ends the subscription, and deletes its events too. */
  unsubscribe(
    accountId: string,
    sourceId: string,
  ): Promise<{ readonly kind: "unsubscribed" } | SubscriptionFailure>;
  /** Lists the oldest subscription first; of each URL only scheme and host. */
  list(accountId: string): Promise<readonly SubscriptionOverview[]>;
  findSettings(accountId: string, sourceId: string): Promise<SubscriptionSettingsFields | null>;
}

export interface Subscriptions extends EventSubscriptions {
  readonly refresher: Refresher;
  /** Refreshes for an operator, like `forOperator`. Null when there is no such subscription. */
  refreshNow(sourceId: string, options?: RefreshOptions): Promise<RefreshResult | null>;
  findByUrl(accountId: string, address: string): Promise<Subscription | null>;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const dependencies = createSubscriptionDependencies(options);
  const { store, cipher, isLimited, toShownError, refuseFetch, now } = dependencies;
  const refresher = createRefresher(dependencies);
  const { preview, subscribe } = createNewSubscriptions(dependencies, refresher);

  /** Runs `run` on a subscription of the account, in one transaction. */
  function change<T>(
    accountId: string,
    sourceId: string,
    run: (found: Subscription, records: EventsRecords) => Promise<T>,
  ): Promise<T | SubscriptionFailure> {
    return store.transaction(async (records) => {
      const found = await records.subscriptions.find(sourceId);
      if (found === null || found.accountId !== accountId)
        return refuseSubscription({ kind: "not-found" });
      return run(found, records);
    });
  }

  const writeClaim = async (found: Subscription, { subscriptions }: EventsRecords) => {
    const claimed = claim(found, now());
    await subscriptions.update(claimed);
    return claimed;
  };

  return {
    refresher,
    preview,
    subscribe,
    async save(accountId, sourceId, fields) {
      const result = readSettings(fields);
      if (result.kind === "refused") return result;
      return change(accountId, sourceId, async (found, { subscriptions }) => {
        const { name, rules, defaultType } = result.settings;
        const named = { ...found, name: name || found.name };
        const isRetyped =
          defaultType !== found.defaultType ||
          formatWordRules(rules) !== formatWordRules(found.rules);
        await subscriptions.update(
          isRetyped ? scheduleFullRead({ ...named, rules, defaultType }, now()) : named,
        );
        return { kind: "saved" } as const;
      });
    },
    async refresh(accountId, sourceId, refreshOptions) {
      if (await isLimited(accountId)) return refuseSubscription({ kind: "too-soon" });
      const claimed = await change(accountId, sourceId, async (found, records) =>
        nextManualFetch(found.lastFetchedAt, now()) > now()
          ? refuseSubscription({ kind: "too-soon" })
          : writeClaim(found, records),
      );
      if ("kind" in claimed) return claimed;
      const result = await refresher.refresh(claimed, refreshOptions);
      if (result.kind === "failed") return refuseFetch(result.error);
      return { kind: "refreshed" };
    },
    async unsubscribe(accountId, sourceId) {
      // A new claim ends a running import.
      const claimed = await change(accountId, sourceId, writeClaim);
      if ("kind" in claimed) return claimed;
      await deleteSource(store, accountId, sourceId, now);
      return { kind: "unsubscribed" };
    },
    async list(accountId) {
      const found = await store.reads.subscriptions.list(accountId);
      return found.map((subscription) => {
        const { lastError } = subscription;
        const shown = lastError === null ? null : toShownError(lastError);
        return toOverview({ ...subscription, lastError: shown }, cipher);
      });
    },
    async findSettings(accountId, sourceId) {
      const found = await store.reads.subscriptions.find(sourceId);
      return found === null || found.accountId !== accountId ? null : settingsToFields(found);
    },
    async refreshNow(sourceId, refreshOptions) {
      const claimed = await store.transaction(async (records) => {
        const found = await records.subscriptions.find(sourceId);
        return found === null ? null : writeClaim(found, records);
      });
      return claimed === null ? null : refresher.refresh(claimed, refreshOptions);
    },
    async findByUrl(accountId, address) {
      const parsed = parseFeedUrl(address);
      if (parsed.kind === "invalid") return null;
      const hash = cipher.hash(accountId, parsed.url);
      const present = await store.transaction(({ subscriptions }) => subscriptions.list(accountId));
      return present.find(({ urlHash }) => urlHash === hash) ?? null;
    },
  };
}

/** Called in the transaction that changes the account's time zone, on which the dates of entries depend. */
export async function scheduleFullReads(
  { subscriptions }: EventsRecords,
  accountId: string,
  now: number,
): Promise<void> {
  for (const subscription of await subscriptions.list(accountId)) {
    await subscriptions.update(scheduleFullRead(subscription, now));
  }
}

/** Ends a running import too, because the claim is lost. */
function scheduleFullRead(subscription: Subscription, now: number): Subscription {
  const nextFetchAt = nextManualFetch(subscription.lastFetchedAt, now);
  return { ...subscription, etag: null, lastModified: null, nextFetchAt };
}

function toOverview(subscription: Subscription, cipher: FeedUrlCipher): SubscriptionOverview {
  const { sealedUrl, urlHash: _, report, ...rest } = subscription;
  const url = cipher.open(subscription.accountId, sealedUrl);
  return { ...rest, host: url?.origin ?? "", report: readReport(report)?.summary ?? null };
}
