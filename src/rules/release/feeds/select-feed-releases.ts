/** Chooses the releases that the feeds are built from. */
import type { PublishedSource } from "../../../contract/release/catalog.ts";
import type { Rollout } from "../../../contract/release/schemas.ts";
import { EVERYBODY_PERCENT, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import type { Catalog, CatalogArchive } from "../catalog.ts";
import { percentOf } from "../rollouts.ts";
import { feedPlaces } from "./feed-places.ts";
import type { FeedRelease } from "./feed-release.ts";

/**
 * The number of releases of each channel that are out for everybody. A feed offers the newest
 * release; older ones serve systems that a newer release no longer supports. Beside them the newest
 * of each place is kept, however old: a platform that is released rarely keeps its feed. Both
 * bounds keep the service from holding every release of a long history.
 */
export const MAX_FEED_RELEASES = 10;

/** What the feeds are built from. */
export interface FeedContent {
  readonly product: string;
  /** A bounded number of the newest. */
  readonly releases: readonly FeedRelease[];
}

/** `published` is newest build first. */
export function feedContent(
  { settings, archive }: Pick<Catalog, "settings" | "archive">,
  published: readonly PublishedSource[],
): FeedContent {
  const releases = selectFeedReleases(published, settings.rollouts ?? [], archive);
  return { product: settings.product, releases };
}

/** `published` is newest build first, and so is what is selected. */
export function selectFeedReleases(
  published: readonly PublishedSource[],
  rollouts: readonly Rollout[],
  archive?: CatalogArchive,
): FeedRelease[] {
  const staged = new Set(
    rollouts.filter(({ percent }) => percent < EVERYBODY_PERCENT).map(({ version }) => version),
  );
  const kept = new Set(
    RELEASE_CHANNELS.flatMap((channel) => {
      const own = published.filter((release) => release.channel === channel);
      // A staged release that a newer one has overtaken is offered by no feed.
      const everybody = own.filter(({ version }) => !staged.has(version));
      return [
        ...own.slice(0, 1),
        ...everybody.slice(0, MAX_FEED_RELEASES),
        ...newestOfEachPlace(everybody, archive),
      ];
    }),
  );
  return published
    .filter((release) => kept.has(release))
    .map((release) => ({ ...release, percent: percentOf(rollouts, release.version) }));
}

function newestOfEachPlace(
  releases: readonly PublishedSource[],
  archive: CatalogArchive | undefined,
): PublishedSource[] {
  const newest = new Map<string, PublishedSource>();
  for (const release of releases) {
    // The index of the archive has them, so that a long history is not parsed.
    const places = archive?.entries.get(release.version)?.places ?? feedPlaces(release.artifacts);
    for (const place of places) {
      if (!newest.has(place)) newest.set(place, release);
    }
  }
  return [...newest.values()];
}
