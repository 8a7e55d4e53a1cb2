/** The systems that each feed can offer the files of a release to, whatever its rollout. */
import {
  ELECTRON_TARGETS,
  FEEDS,
  SQUIRREL_ARCHITECTURES,
  type ElectronTarget,
  type Feed,
} from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import { appcastFiles } from "./appcast.ts";
import { electronFiles } from "./electron-feed.ts";
import { squirrelFile } from "./squirrel-feed.ts";
import { tauriPlatforms } from "./tauri-feed.ts";

type Places = (artifacts: readonly SourceArtifact[]) => string[];

const FEED_PLACES = {
  electron: (artifacts) =>
    (Object.keys(ELECTRON_TARGETS) as ElectronTarget[]).filter(
      (target) => electronFiles(artifacts, target).length > 0,
    ),
  tauri: (artifacts) => [...tauriPlatforms(artifacts).keys()],
  sparkle: (artifacts) => appcastFiles(artifacts).map(({ os }) => os),
  squirrel: (artifacts) =>
    SQUIRREL_ARCHITECTURES.filter(
      (architecture) => squirrelFile(artifacts, architecture) !== undefined,
    ).map((architecture) => `darwin ${architecture}`),
} as const satisfies Record<Feed, Places>;

/** Lists the places in all feeds; the names of different feeds differ. */
export function feedPlaces(artifacts: readonly SourceArtifact[]): string[] {
  return FEEDS.flatMap((feed) => FEED_PLACES[feed](artifacts).map((place) => `${feed} ${place}`));
}
