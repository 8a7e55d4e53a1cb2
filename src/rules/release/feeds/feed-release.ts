/** The releases that the feeds of other updaters are built from. */
import type { PublishedSource, SourceArtifact } from "../../../contract/release/catalog.ts";
import { EVERYBODY_PERCENT, type ReleaseChannel } from "../../../contract/release/values.ts";
import { appVersionOf, compareAppVersions } from "../app-version.ts";

export interface FeedRelease extends Readonly<PublishedSource> {
  /** The share of the installations that may have it: 0 to 100. */
  readonly percent: number;
}

/** What an installation is offered. */
export interface FeedOffer {
  readonly release: FeedRelease;
  readonly artifact: SourceArtifact;
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
 * Orders releases for updaters that compare versions. A stable patch with a higher build number
 * than a beta may have the lower version, and such an updater would ignore it, or install it over
 * the newer beta.
 */
export function newestVersionFirst(releases: readonly FeedRelease[]): FeedRelease[] {
  return releases.toSorted((a, b) => compareAppVersions(appVersionOf(b), appVersionOf(a)));
}

export function isForEverybody({ percent }: FeedRelease): boolean {
  return percent === EVERYBODY_PERCENT;
}

/** The releases for formats that cannot name a share of the installations; the newest version first. */
export function offeredToEverybody(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
): FeedRelease[] {
  return newestVersionFirst(releasesOf(releases, channel).filter(isForEverybody));
}
