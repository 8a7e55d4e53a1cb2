import type { Site } from "../../rules/release/site/validate-site.ts";
import type { GroupedReleases } from "./group-releases.ts";

export interface PageOptions {
  readonly productName: string;
  /** Null: the maker has given the page no theme. */
  readonly site: Site | null;
  readonly releases: GroupedReleases;
  readonly smartDownloadUrl: string;
  /** The address is absolute and ends in a slash. */
  readonly websiteUrl: string;
  readonly manifestUrl: string;
  readonly policy: string;
  /** The text of the style, which the policy has the hash of. */
  readonly style: string;
  readonly now: number;
}
