/** What a browser loads to search: short members, because a person on a slow line waits for them. */

export interface SearchIndex {
  readonly pages: readonly SearchPage[];
  readonly sections: readonly SearchSection[];
}

export interface SearchPage {
  /** The path from the root of the site. */
  readonly path: string;
  readonly title: string;
  /** The section of the navigation. */
  readonly group: string;
  readonly lang: string;
  /** How much sooner a reader wants this page than others. */
  readonly weight: number;
  /** Shown when a reader asks for a protocol, or when nothing else was found. */
  readonly isProtocol: boolean;
}

export type SearchSection = readonly [page: number, anchor: string, heading: string, words: string];
