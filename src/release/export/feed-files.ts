/** Responses that are files of an export, and the feeds among them: each is at the address of the live service. */
import { isRouteServed } from "../../contract/release/feed-routes.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import type { ContentCoding } from "../../http/content-encoding.ts";
import type { API_ROUTES } from "../routes.ts";
import type { PreparedFeeds } from "../responses/prepare-feeds.ts";

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
  /** The same response to clients that accept an encoding; none of a short one. */
  readonly encoded: readonly EncodedResponse[];
}

interface EncodedResponse extends Pick<StoredResponse, "etag" | "body"> {
  readonly encoding: ContentCoding;
}

/** What is known of a response before it is recorded. */
export type ResponseAddress = Pick<StoredResponse, "key" | "operationId" | "target" | "file">;

/** This version is older than every release. */
export const OLDEST_VERSION = "0.0.0-0";
/** The version in this target is newer than any release. */
export const NO_UPDATE_TARGET = `/feeds/tauri/stable/windows/x86_64/${"9".repeat(64)}.0.0`;

export function listFeeds(prepared: PreparedFeeds, feeds: FeedSettings): ResponseAddress[] {
  return [...prepared]
    .filter(([, feed]) => feed.response !== null && isRouteServed(feed.operationId, feeds))
    .map(([path, { operationId, version }]) => {
      // The key is what the rules for nginx put together from the parameters of the route.
      const key = path
        .replace("/feeds/", "")
        .replace("/appcast.xml", "")
        .replace(/\/darwin(\/\w+)\/RELEASES\.json$/, "$1");
      return version === undefined
        ? { operationId, key, target: path, file: path }
        : { operationId, key, target: `${path}/${OLDEST_VERSION}`, file: `${path}/index.json` };
    });
}

export interface TauriUpdateFile {
  readonly file: string;
  /** The address of the machine or installation, without the installed version. */
  readonly path: string;
  /** What installations of an older version are offered. */
  readonly version: string;
}

export function tauriUpdateFiles(stored: readonly StoredResponse[]): TauriUpdateFile[] {
  return stored
    .filter(({ operationId }) => /^getTauri(?:Bundle)?Update$/.test(operationId))
    .map(({ file, body }) => {
      const { version } = JSON.parse(Buffer.from(body).toString("utf8")) as { version: string };
      return { file, path: file.replace("/index.json", ""), version };
    });
}
