/** Subscriptions that an account does not have yet: a preview of the feed, and the first import. */
import type { FeedPreview, SubscriptionFields } from "../pages.ts";
import type { EventsRecords } from "../store.ts";
import type { SubscriptionDependencies } from "./dependencies.ts";
import { previewFeed } from "./read-feed.ts";
import { claim, type Refresher } from "./refresh-subscription.ts";
import {
  createSubscription,
  readSubscriptionInput,
  refuseSubscription,
  type SubscriptionFailure,
  type SubscriptionInput,
} from "./subscription-input.ts";

export interface NewSubscriptions {
  /** Fetches and reads the feed, and writes nothing. */
  preview(
    accountId: string,
    fields: SubscriptionFields,
  ): Promise<{ readonly kind: "previewed"; readonly preview: FeedPreview } | SubscriptionFailure>;
  /** Fetches the feed and imports it. */
  subscribe(
    accountId: string,
    fields: SubscriptionFields,
  ): Promise<{ readonly kind: "subscribed"; readonly sourceId: string } | SubscriptionFailure>;
}

/** The subscriptions that a person may add to an account; the command line has no such limit. */
export const MAX_SUBSCRIPTIONS = 50;

export function createNewSubscriptions(
  dependencies: SubscriptionDependencies,
  refresher: Refresher,
): NewSubscriptions {
  const { store, cipher, readFeed, hasLimits, isLimited, refuseFetch, now } = dependencies;

  async function readNewFeed({ accountId, url, sourceId, settings }: SubscriptionInput) {
    if (await isLimited(accountId)) return refuseSubscription({ kind: "too-soon" });
    const timeZone = await refresher.readTimeZone(accountId);
    const read = await readFeed({ ...settings, url, sourceId, timeZone });
    if (read.kind === "failed") return refuseFetch(read.error);
    if (read.kind === "unchanged") throw new Error("An unconditional request was not modified");
    return { ...read, timeZone };
  }

  async function add(input: SubscriptionInput) {
    const { accountId, sourceId } = input;
    const findError = async ({ subscriptions }: EventsRecords) => {
      const present = await subscriptions.list(accountId);
      if (present.some(({ urlHash }) => urlHash === sourceId)) return "already-subscribed";
      return hasLimits && present.length >= MAX_SUBSCRIPTIONS ? "too-many" : null;
    };
    const early = await store.transaction(findError);
    if (early !== null) return refuseSubscription({ kind: early });
    const read = await readNewFeed(input);
    if (read.kind === "refused") return read;

    const claimed = claim(createSubscription(input, cipher, now()), now());
    const error = await store.transaction(async (records) => {
      const found = await findError(records);
      if (found !== null) return found;
      const { createdAt } = claimed;
      // Source names are unique, and pages show the name of the subscription.
      const ids = { sourceId, name: sourceId } as const;
      await records.sources.findOrAdd({ ...ids, accountId, kind: "subscription", createdAt });
      await records.subscriptions.add(claimed);
      return null;
    });
    if (error !== null) return refuseSubscription({ kind: error });
    await refresher.importRead(claimed, read, read.timeZone);
    return { kind: "subscribed", sourceId } as const;
  }

  return {
    async preview(accountId, fields) {
      const result = readSubscriptionInput(accountId, fields, cipher);
      if (result.kind === "refused") return result;
      const read = await readNewFeed(result.input);
      if (read.kind === "refused") return read;
      return { kind: "previewed", preview: previewFeed(read.feed, now()) };
    },
    async subscribe(accountId, fields) {
      const result = readSubscriptionInput(accountId, fields, cipher);
      return result.kind === "refused" ? result : add(result.input);
    },
  };
}
