/** Responses that are files of an export, and the feeds among them: each is at the address of the live service. */
import { isRouteServed } from "../../contract/release/feed-routes.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import type { ContentCoding } from "../../http/content-encoding.ts";
import type { API_ROUTES } from "../routes.ts";
import type { PreparedFeeds } from "../responses/prepare-feeds.ts";

/** A response that is a file of the tree. */
export interface StoredResponse {
  readonly operationId: keyof typeof API_ROUTES;
  /** The request target on the live service. */
  readonly target: string;
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The same response to clients that accept an encoding; none of a short one. */
  readonly encoded: readonly EncodedResponse[];
}

interface EncodedResponse extends Pick<StoredResponse, "body"> {
  readonly encoding: ContentCoding;
}

/** As web servers look for them beside the plain file. */
export const ENCODED_SUFFIXES: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

/** What is known of a response before it is recorded. */
export type ResponseAddress = Pick<StoredResponse, "operationId" | "target" | "file">;

/** This version is older than every release. */
export const OLDEST_VERSION = "0.0.0-0";

export function listFeeds(prepared: PreparedFeeds, feeds: FeedSettings): ResponseAddress[] {
  return [...prepared]
    .filter(([, feed]) => feed.response !== null && isRouteServed(feed.operationId, feeds))
    .map(([path, { operationId, version }]) =>
      version === undefined
        ? { operationId, target: path, file: path }
        : { operationId, target: `${path}/${OLDEST_VERSION}`, file: `${path}/index.json` },
    );
}

/** The files of machines and installations, at addresses without the installed version. */
export function tauriUpdateFiles(stored: readonly StoredResponse[]): string[] {
  return stored
    .filter(({ operationId }) => /^getTauri(?:Bundle)?Update$/.test(operationId))
    .map(({ file }) => file);
}

export function pathOf(target: string): string {
  return target.split("?")[0] ?? target;
}
