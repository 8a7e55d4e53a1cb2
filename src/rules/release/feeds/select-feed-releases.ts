/** Chooses the releases that the feeds are built from. */
import type { CatalogFile, PublishedSource, Rollout } from "../../../contract/release/types.ts";
import {
  EVERYBODY_PERCENT,
  RELEASE_CHANNELS,
  type ReleaseChannel,
} from "../../../contract/release/values.ts";
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

export interface FeedCandidate {
  readonly version: string;
  readonly channel: ReleaseChannel;
  /** What `feedPlaces` names, or `feedTraits`, by which some more releases are chosen. */
  readonly places: readonly string[];
}

/** What the feeds are built from. */
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

/** `published` is newest build first. */
export function selectFeedReleases(
  published: readonly PublishedSource[],
  rollouts: readonly Rollout[],
): FeedRelease[] {
  const candidates = published.map((release) => ({
    release,
    version: release.version,
    channel: release.channel,
    places: feedPlaces(release.artifacts),
  }));
  return chooseCandidates(candidates, rollouts).map(({ release }) => ({
    ...release,
    percent: percentOf(rollouts, release.version),
  }));
}

/** Keeps the order of the list, which is newest build first. */
export function chooseCandidates<T extends FeedCandidate>(
  candidates: readonly T[],
  rollouts: readonly Rollout[],
): T[] {
  const staged = new Set(
    rollouts.filter(({ percent }) => percent < EVERYBODY_PERCENT).map(({ version }) => version),
  );
  const kept = new Set(
    RELEASE_CHANNELS.flatMap((channel) => {
      const own = candidates.filter((candidate) => candidate.channel === channel);
      // A staged release that a newer one has overtaken is offered by no feed.
      const everybody = own.filter(({ version }) => !staged.has(version));
      return [
        ...own.slice(0, 1),
        ...everybody.slice(0, MAX_FEED_RELEASES),
        ...newestOfEachPlace(everybody),
      ];
    }),
  );
  return candidates.filter((candidate) => kept.has(candidate));
}

function newestOfEachPlace<T extends FeedCandidate>(candidates: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const candidate of candidates) {
    for (const place of candidate.places) {
      if (!newest.has(place)) newest.set(place, candidate);
    }
  }
  return [...newest.values()];
}
