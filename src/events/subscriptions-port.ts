/**
 * What the account pages need of subscriptions. How a feed is fetched, read and imported is not their
 * business, nor when it is fetched next.
 *
 * Texts of a person come cleaned of control characters and otherwise as they were typed. Everything
 * is asked for one account: what another account has is not there.
 */
import type {
  FeedPreview,
  SubscriptionItem,
  SubscriptionFields,
  SubscriptionProblem,
} from "./pages.ts";
import type { Subscription } from "./store.ts";

export type SubscriptionOverview = Omit<Subscription, "sealedUrl" | "urlHash" | "report"> &
  SubscriptionItem;

export type SubscriptionSettings = Omit<SubscriptionFields, "url">;

export interface SubscriptionRefusal {
  readonly kind: "refused";
  readonly problem: SubscriptionProblem;
}

export interface EventSubscriptions {
  /** Fetches and reads the feed, and writes nothing. */
  preview(
    accountId: string,
    fields: SubscriptionFields,
  ): Promise<{ readonly kind: "previewed"; readonly preview: FeedPreview } | SubscriptionRefusal>;
  /** Fetches the feed and imports it, so that a subscription begins with what it promises. */
  subscribe(
    accountId: string,
    fields: SubscriptionFields,
  ): Promise<{ readonly kind: "subscribed"; readonly sourceId: string } | SubscriptionRefusal>;
  save(
    accountId: string,
    sourceId: string,
    settings: SubscriptionSettings,
  ): Promise<{ readonly kind: "saved" } | SubscriptionRefusal>;
  /**
   * Fetches now, unless it was fetched a moment ago. `acceptShrink` is a person's word that what is
   * missing from the feed is meant to be gone.
   */
  refresh(
    accountId: string,
    sourceId: string,
    options?: { readonly acceptShrink?: boolean },
  ): Promise<{ readonly kind: "refreshed" } | SubscriptionRefusal>;
  /** Its events are deleted with it. */
  unsubscribe(
    accountId: string,
    sourceId: string,
  ): Promise<{ readonly kind: "unsubscribed" } | SubscriptionRefusal>;
  /** Oldest first. The address is not told: only its scheme and host. */
  list(accountId: string): Promise<readonly SubscriptionOverview[]>;
  /** The settings of one as they are shown in a form, or null when there is none. */
  findSettings(accountId: string, sourceId: string): Promise<SubscriptionSettings | null>;
}
