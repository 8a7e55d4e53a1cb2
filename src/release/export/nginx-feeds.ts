/** The feeds for nginx: which addresses there are, and which installations of Tauri apps get an update. */
import { FEED_ROUTES, isRouteServed } from "../../contract/release/feed-routes.ts";
import {
  ELECTRON_FILES,
  APP_VERSION_PATTERN,
  SQUIRREL_ARCHITECTURES,
  TAURI_ARCHITECTURES,
  TAURI_BUNDLE_TYPES,
  TAURI_TARGETS,
  UNKNOWN_BUNDLE_TYPE,
} from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import { tauriUpdateFiles } from "./feed-files.ts";
import { mapBlock, quotePattern, quoteTemplate, type MapRows } from "./nginx-syntax.ts";
import { escapePattern, olderThan, oneOf } from "./patterns.ts";
import type { Recording } from "./record-responses.ts";

/** The keys of the files, by route; nginx knows no parameters of a route that it has no pattern of. */
export function feedKeys({ feeds }: Recording): MapRows {
  return FEED_KEYS.filter(([operationId]) => isRouteServed(operationId, feeds));
}

const FEED_KEYS: MapRows = [
  ["getElectronFeed", quoteTemplate("electron/$trellis_feed_file")],
  ["getTauriFeed", quoteTemplate("tauri/$trellis_feed_file")],
  [
    "getTauriUpdate",
    quoteTemplate("tauri/$trellis_feed_channel/$trellis_feed_target/$trellis_feed_arch"),
  ],
  [
    "getTauriBundleUpdate",
    quoteTemplate(
      "tauri/$trellis_feed_channel/$trellis_feed_target/$trellis_feed_arch/$trellis_feed_bundle_type",
    ),
  ],
  ["getAppcast", quoteTemplate("sparkle/$trellis_feed_channel")],
  ["getReleaseFiles", quoteTemplate("files/$trellis_feed_version")],
  ["getReleaseArchive", quoteTemplate("archive/$trellis_feed_sha256")],
  ["getSquirrelMacFeed", quoteTemplate("squirrel/$trellis_feed_channel/$trellis_feed_arch")],
];

export const FEED_RESPONSES: MapRows = [
  [quotePattern(` (?:${Object.keys(FEED_ROUTES).join("|")})$`), "$trellis_feed"],
];

/** The checks of each route in the order of the service; `$trellis_stored` is the file. */
export function feedMaps({ stored }: Recording): string[] {
  const electron = oneOf(ELECTRON_FILES.map(({ name }) => name));
  const channels = oneOf(RELEASE_CHANNELS);
  const bundleType = oneOf([...TAURI_BUNDLE_TYPES, UNKNOWN_BUNDLE_TYPE]);
  const machine = `${oneOf(TAURI_TARGETS)}/${oneOf(TAURI_ARCHITECTURES)}(?:/${bundleType})?`;
  const version = APP_VERSION_PATTERN.replace(/^\^/, "").replace(/\$$/, "\\z");
  const rows: readonly (readonly [string, string])[] = [
    [`^/feeds/electron/${electron}\\z`, "$trellis_stored"],
    ["^/feeds/electron/", "not_found"],
    [`^/feeds/tauri/${channels}\\.json\\z`, "$trellis_stored"],
    ["^/feeds/tauri/[^/]+\\z", "not_found"],
    [`^/feeds/tauri/(?!${channels}/)`, "invalid_channel"],
    [`^/feeds/tauri/[^/]+/(?!${machine}/${version})`, "invalid_update_request"],
    ...tauriUpdateFiles(stored).map(
      ({ path, version: newest }) =>
        [`^${escapePattern(path)}/${olderThan(newest)}\\z`, "$trellis_stored"] as const,
    ),
    ["^/feeds/tauri/", "noUpdate"],
    [`^/feeds/(?:sparkle|squirrel)/(?!${channels}/)`, "invalid_channel"],
    [`^/feeds/squirrel/[^/]+/darwin/(?!${oneOf(SQUIRREL_ARCHITECTURES)}/)`, "not_found"],
    ...stored
      .filter(({ operationId }) => operationId === "getReleaseArchive")
      .map(({ target }) => [`^${target}\\z`, "$trellis_stored"] as const),
    ["^/feeds/archive/", "not_found"],
  ];
  return [
    mapBlock("$trellis_path", "trellis_feed", [
      ...rows.map(([pattern, value]) => [quotePattern(pattern), value] as const),
      ["default", "$trellis_stored"],
    ]),
  ];
}
