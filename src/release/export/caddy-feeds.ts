import { isRouteServed, type FEED_ROUTES } from "../../contract/release/feed-routes.ts";
import {
  ELECTRON_FILES,
  INSTALLED_VERSION_PATTERN,
  SQUIRREL_ARCHITECTURES,
  TAURI_ARCHITECTURES,
  TAURI_TARGETS,
} from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import { block, handle, importFileSnippet, respondLines } from "./caddy-syntax.ts";
import { tauriUpdateFiles } from "./feed-files.ts";
import { olderThan, oneOf } from "./patterns.ts";
import type { Recording } from "./record-responses.ts";

type FeedRoute = keyof typeof FEED_ROUTES;

/** The checks of each feed in the order of the service. */
export function feedRoutes(recording: Recording): string[] {
  const { feeds, stored } = recording;
  const respond = (name: string) => respondLines(recording, name, "");
  const file = (id: FeedRoute, path: string) => importFileSnippet(recording, id, path);
  const unless = (matcher: string, pattern: string, name: string) => {
    const definition = `@${matcher} not vars_regexp {trellis_name} "${pattern}"`;
    return [definition, ...respondLines(recording, name, definition)];
  };
  const channels = oneOf(RELEASE_CHANNELS);
  const electron = oneOf(ELECTRON_FILES.map(({ name }) => name));
  const machine = `${oneOf(TAURI_TARGETS)}/${oneOf(TAURI_ARCHITECTURES)}`;
  const feed = (id: FeedRoute, lines: () => readonly string[]) =>
    isRouteServed(id, feeds) ? handle(id, lines()) : [];
  return [
    ...feed("getElectronFeed", () => [
      ...unless("electron", `^${electron}$`, "not_found"),
      ...file("getElectronFeed", "/feeds/electron/{trellis_name}"),
      ...respond("release_not_found"),
    ]),
    ...feed("getTauriFeed", () => [
      ...unless("tauri", `^${channels}\\.json$`, "not_found"),
      ...file("getTauriFeed", "/feeds/tauri/{trellis_name}"),
      ...respond("release_not_found"),
    ]),
    ...feed("getTauriUpdate", () => [
      ...unless("tauri_channel", `^${channels}/`, "invalid_channel"),
      ...unless(
        "tauri_machine",
        `^[^/]+/${machine}/${INSTALLED_VERSION_PATTERN.slice(1)}`,
        "invalid_update_request",
      ),
      ...tauriUpdateFiles(stored).flatMap(({ path, version, file: body }, index) => [
        `@tauri${index} vars_regexp {trellis_name} "^${path.replace("/feeds/tauri/", "")}/${olderThan(version)}$"`,
        ...block(`route @tauri${index}`, file("getTauriUpdate", body)),
      ]),
      ...respondLines(recording, "noUpdate", ""),
    ]),
    ...feed("getAppcast", () => [
      ...unless("appcast", `^${channels}$`, "invalid_channel"),
      ...file("getAppcast", "/feeds/sparkle/{trellis_name}/appcast.xml"),
      ...respond("release_not_found"),
    ]),
    ...feed("getSquirrelMacFeed", () => [
      ...unless("squirrel_channel", `^${channels}/`, "invalid_channel"),
      ...unless("squirrel", `/${oneOf(SQUIRREL_ARCHITECTURES)}$`, "not_found"),
      ...file("getSquirrelMacFeed", "/feeds/squirrel/{trellis_name}/RELEASES.json"),
      ...respond("release_not_found"),
    ]),
  ];
}
