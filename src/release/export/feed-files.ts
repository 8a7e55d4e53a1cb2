/** Responses that are files of an export, and the feeds among them: each is at the address of the live service. */
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import type { API_ROUTES } from "../handlers.ts";
import type { PreparedFeeds } from "../prepare-feeds.ts";

/** A response that is a file of the tree. */
export interface StoredResponse {
  /** The key of the web server rules: `release/2.0.0`. */
  readonly key: string;
  readonly operationId: keyof typeof API_ROUTES;
  /** The request target on the live service. */
  readonly target: string;
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Uint8Array;
}

/** What is known of it before it is recorded. */
export type ResponseAddress = Pick<StoredResponse, "key" | "operationId" | "target" | "file">;

/** Older than every release. */
const OLDEST_VERSION = "0.0.0-0";
/** Newer than any release. */
export const NO_UPDATE_TARGET = `/feeds/tauri/stable/windows/x86_64/${"9".repeat(64)}.0.0`;

export function listFeeds(prepared: PreparedFeeds, feeds: FeedSettings): ResponseAddress[] {
  const { electron, tauri, tauriUpdates, appcasts, squirrelMac } = prepared;
  const entries: ResponseAddress[] = [];
  const add = (
    operationId: ResponseAddress["operationId"],
    key: string,
    file: string,
    target = file,
  ) => entries.push({ operationId, key, target, file });
  if (feeds.electron) {
    for (const name of electron.keys()) {
      add("getElectronFeed", `electron/${name}`, `/feeds/electron/${name}`);
    }
  }
  if (feeds.tauri) {
    for (const name of tauri.keys()) add("getTauriFeed", `tauri/${name}`, `/feeds/tauri/${name}`);
    for (const machine of tauriUpdates.keys()) {
      const path = `/feeds/tauri/${machine}`;
      add("getTauriUpdate", `tauri/${machine}`, `${path}/index.json`, `${path}/${OLDEST_VERSION}`);
    }
  }
  if (feeds.sparkle) {
    for (const channel of appcasts.keys()) {
      add("getAppcast", `sparkle/${channel}`, `/feeds/sparkle/${channel}/appcast.xml`);
    }
  }
  if (feeds.squirrel) {
    for (const key of squirrelMac.keys()) {
      const file = `/feeds/squirrel/${key.replace("/", "/darwin/")}/RELEASES.json`;
      add("getSquirrelMacFeed", `squirrel/${key}`, file);
    }
  }
  return entries;
}

export interface TauriUpdateFile {
  readonly file: string;
  /** The address of the machine, without the installed version. */
  readonly path: string;
  /** What installations of an older version are offered. */
  readonly version: string;
}

export function tauriUpdateFiles(stored: readonly StoredResponse[]): TauriUpdateFile[] {
  return stored
    .filter(({ operationId }) => operationId === "getTauriUpdate")
    .map(({ file, body }) => {
      const { version } = JSON.parse(Buffer.from(body).toString("utf8")) as { version: string };
      return { file, path: file.replace("/index.json", ""), version };
    });
}
