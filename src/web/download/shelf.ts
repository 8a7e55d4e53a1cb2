/** What of a catalogue the page shows, and where: newest build first, betas apart. */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";

export interface Shelf {
  readonly newest: Release | undefined;
  readonly earlier: readonly Release[];
  /** The newest beta, unless a stable release has overtaken it. */
  readonly beta: Release | undefined;
  readonly earlierBetas: readonly Release[];
}

export function arrangeReleases(releases: readonly SourceRelease[]): Shelf {
  const published = releases
    .filter((release) => release.status === "published")
    .sort((a, b) => b.buildNumber - a.buildNumber);
  const [newest, ...earlier] = published.filter(({ channel }) => channel === "stable");
  const betas = published.filter(({ channel }) => channel === "beta");
  const overtaken = (betas[0]?.buildNumber ?? 0) < (newest?.buildNumber ?? 0);
  return {
    newest,
    earlier,
    beta: overtaken ? undefined : betas[0],
    earlierBetas: overtaken ? betas : betas.slice(1),
  };
}
