/** The releases that the feeds of other updaters are built from. */
import type { PublishedSource, Rollout } from "../../../contract/release/types.ts";
import {
  EVERYBODY_PERCENT,
  RELEASE_CHANNELS,
  type ReleaseChannel,
} from "../../../contract/release/values.ts";
import { latestOf } from "../catalog.ts";
import { percentOf } from "../rollouts.ts";
import { compareVersions } from "../version.ts";

export interface FeedRelease extends Readonly<PublishedSource> {
  /** The share of the installations that may have it: 0 to 100. */
  readonly percent: number;
}

/**
 * Of each channel. A feed offers the newest release; older ones serve systems that a newer release no
 * longer supports, and platforms that it has no file for. The bound keeps the service from holding
 * every release of a long history.
 */
export const MAX_FEED_RELEASES = 10;

/** `published` is newest build first. */
export function selectFeedReleases(
  published: readonly PublishedSource[],
  rollouts: readonly Rollout[],
): FeedRelease[] {
  return newestOfEachChannel(published).map((release) => {
    const percent = percentOf(rollouts, release.version);
    const isNewest = latestOf(published, release.channel) === release;
    // A staged release that a newer one has overtaken is offered by no feed.
    return { ...release, percent: isNewest || percent === EVERYBODY_PERCENT ? percent : 0 };
  });
}

/** Keeps the order of the list, which is newest build first. */
export function newestOfEachChannel<T extends { readonly channel: ReleaseChannel }>(
  releases: readonly T[],
): T[] {
  const kept = new Set(
    RELEASE_CHANNELS.flatMap((channel) =>
      releases.filter((release) => release.channel === channel).slice(0, MAX_FEED_RELEASES),
    ),
  );
  return releases.filter((release) => kept.has(release));
}

/** Beta also has stable releases. A rollout of 0 percent is a stop: no feed has the release. */
export function releasesOf(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
): FeedRelease[] {
  return releases.filter(
    (release) => release.percent > 0 && (channel === "beta" || release.channel === channel),
  );
}

/**
 * For updaters that compare versions. A stable patch with a higher build number than a beta may have
 * the lower version, and such an updater would ignore it, or install it over the newer beta.
 */
export function newestVersionFirst(releases: readonly FeedRelease[]): FeedRelease[] {
  return releases.toSorted((a, b) => compareVersions(b.version, a.version));
}

/** For formats that cannot name a share of the installations. */
export function isForEverybody({ percent }: FeedRelease): boolean {
  return percent === EVERYBODY_PERCENT;
}
