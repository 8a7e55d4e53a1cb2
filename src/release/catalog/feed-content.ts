/** What the feeds of other updaters are built from. */
import type { CatalogFile, PublishedSource } from "../../contract/release/catalog.ts";
import type { FeedRelease } from "../../rules/release/feeds/feed-release.ts";
import { selectFeedReleases } from "../../rules/release/feeds/select-feed-releases.ts";

export interface FeedContent {
  readonly product: string;
  /** A bounded number of the newest. */
  readonly releases: readonly FeedRelease[];
}

/** `published` is newest build first. */
export function feedContent(
  { product, rollouts }: CatalogFile,
  published: readonly PublishedSource[],
): FeedContent {
  return { product, releases: selectFeedReleases(published, rollouts ?? []) };
}
