/** A subscription as a person types it, and as it is first kept. */
import type { SubscriptionFields } from "../pages.ts";
import type { Subscription } from "../store.ts";
import type { SubscriptionRefusal } from "../subscriptions-port.ts";
import { parseFeedUrl } from "./feed-url.ts";
import { readSettings, type ReadSettings } from "./read-settings.ts";
import type { FeedUrlCipher } from "./url-vault.ts";

export interface TypedFeed {
  readonly accountId: string;
  readonly url: URL;
  /**
   * The same for the same address of the same account, and so are the ids of its events: whoever
   * subscribes again finds what they had.
   */
  readonly sourceId: string;
  readonly settings: ReadSettings;
}

export type TypedFeedResult =
  | { readonly kind: "typed"; readonly typed: TypedFeed }
  | SubscriptionRefusal;

export function readTypedFeed(
  accountId: string,
  fields: SubscriptionFields,
  vault: FeedUrlCipher,
): TypedFeedResult {
  const parsed = parseFeedUrl(fields.url);
  if (!parsed.ok) {
    const { fault } = parsed;
    const isGeneral = fault === "url-invalid";
    return {
      kind: "refused",
      problem: isGeneral ? { kind: "url-invalid" } : { kind: "fetch-failed", fault },
    };
  }
  const read = readSettings(fields);
  if (!read.ok) return { kind: "refused", problem: read.problem };
  const { url } = parsed;
  const sourceId = vault.hash(accountId, url);
  return { kind: "typed", typed: { accountId, url, sourceId, settings: read.settings } };
}

/** Due at once. */
export function createSubscription(
  { accountId, url, sourceId, settings }: TypedFeed,
  vault: FeedUrlCipher,
  now: number,
): Subscription {
  return {
    ...settings,
    name: settings.name || url.hostname,
    sourceId,
    accountId,
    sealedUrl: vault.seal(accountId, url),
    urlHash: sourceId,
    createdAt: now,
    etag: null,
    lastModified: null,
    lastFetchedAt: null,
    lastSucceededAt: null,
    lastFault: null,
    warning: null,
    nextFetchAt: now,
    failures: 0,
    entryCount: null,
    report: null,
  };
}
