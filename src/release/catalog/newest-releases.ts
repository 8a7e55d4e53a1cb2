/** Keeps the sources of the newest releases while the files of a catalogue are read in any order. */
import type { PublishedSource, SourceRelease } from "../../contract/release/catalog.ts";
import { isPublished } from "../../rules/release/catalog.ts";
import { MAX_FEED_RELEASES, newestOfEachChannel } from "../../rules/release/feeds/feed-release.ts";

export interface NewestReleases {
  add(file: string, source: SourceRelease): void;
  /** Null when one of them was not kept: a file changed while the others were read. */
  find(files: readonly string[]): PublishedSource[] | null;
}

/** Fewer would be sorted more often, more would use memory for nothing. */
const MAX_KEPT = 8 * MAX_FEED_RELEASES;

export function createNewestReleases(): NewestReleases {
  const kept = new Map<string, PublishedSource>();
  return {
    add(file, source) {
      if (!isPublished(source)) {
        kept.delete(file);
        return;
      }
      kept.set(file, source);
      if (kept.size > MAX_KEPT) removeOld(kept);
    },
    find(files) {
      const found = files.flatMap((file) => kept.get(file) ?? []);
      return found.length === files.length ? found : null;
    },
  };
}

function removeOld(kept: Map<string, PublishedSource>): void {
  const releases = [...kept.values()].toSorted((a, b) => b.buildNumber - a.buildNumber);
  const newest = new Set(newestOfEachChannel(releases));
  for (const [file, release] of kept) {
    if (!newest.has(release)) kept.delete(file);
  }
}
