/** The published releases in the groups of the page, each newest build first. */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";

export interface GroupedReleases {
  readonly newest: Release | undefined;
  readonly earlier: readonly Release[];
  /** The newest beta, unless a later stable release exists. */
  readonly beta: Release | undefined;
  readonly earlierBetas: readonly Release[];
}

export function groupReleases(releases: readonly SourceRelease[]): GroupedReleases {
  const published = releases
    .filter((release) => release.status === "published")
    .sort((a, b) => b.buildNumber - a.buildNumber);
  const [newest, ...earlier] = published.filter(({ channel }) => channel === "stable");
  const betas = published.filter(({ channel }) => channel === "beta");
  const isSuperseded = (betas[0]?.buildNumber ?? 0) < (newest?.buildNumber ?? 0);
  return {
    newest,
    earlier,
    beta: isSuperseded ? undefined : betas[0],
    earlierBetas: isSuperseded ? betas : betas.slice(1),
  };
}
