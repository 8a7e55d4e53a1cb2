/** The releases in the groups of the page, each newest build first. */
import type {
  PublishedSource,
  SourceRelease,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { isPublished, isWithdrawn } from "../../rules/release/catalog.ts";

export interface GroupedReleases {
  /** The newest stable release, also while its rollout is staged: published is published. */
  readonly newest: PublishedSource | undefined;
  readonly earlier: readonly PublishedSource[];
  /** The newest beta, unless a later stable release exists. */
  readonly beta: PublishedSource | undefined;
  readonly earlierBetas: readonly PublishedSource[];
  /** The withdrawn releases of both channels. */
  readonly withdrawn: readonly WithdrawnSource[];
}

export function groupReleases(releases: readonly SourceRelease[]): GroupedReleases {
  const ordered = releases.toSorted((a, b) => b.buildNumber - a.buildNumber);
  const published = ordered.filter(isPublished);
  const [newest, ...earlier] = published.filter(({ channel }) => channel === "stable");
  const betas = published.filter(({ channel }) => channel === "beta");
  const isSuperseded = (betas[0]?.buildNumber ?? 0) < (newest?.buildNumber ?? 0);
  return {
    newest,
    earlier,
    beta: isSuperseded ? undefined : betas[0],
    earlierBetas: isSuperseded ? betas : betas.slice(1),
    withdrawn: ordered.filter(isWithdrawn),
  };
}

/** What people call the release of a contract's version: the name that the page shows for it. */
export function nameVersion(version: string, releases: GroupedReleases): string {
  const { newest, earlier, beta, earlierBetas, withdrawn } = releases;
  const all = [newest, beta, ...earlier, ...earlierBetas, ...withdrawn];
  const release = all.find((item) => item?.version === version);
  return release === undefined ? version : appVersionOf(release);
}
