/** Serves the files of a static site: the download page, and the example app in the demo. */
import { randomUUID } from "node:crypto";
import type { HttpResponse } from "../http/response.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { splitTarget } from "../http/target.ts";

export interface ServedSite {
  /** The page of a folder is its `index.html`. */
  readonly files: readonly {
    readonly path: string;
    readonly mediaType: string;
    readonly body: SiteBody;
  }[];
  /** For every file, besides its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

type SiteBody = string | Uint8Array<ArrayBuffer>;

/** `site` is called for each request, so that a new release shows without a restart. */
export function createSiteService(site: () => ServedSite): HttpService {
  const respond = (status: number, type: string, body: SiteBody, extra = {}): HttpResponse => ({
    status,
    headers: {
      ...site().headers,
      ...extra,
      "Content-Type": type,
      "Content-Length": String(Buffer.byteLength(body)),
      "X-Request-Id": randomUUID(),
    },
    body,
  });
  const errorResponse = (status: number, text: string, extra = {}) =>
    respond(status, "text/plain; charset=utf-8", `${text}\n`, extra);
  return {
    respond({ method, target }) {
      if (method !== "GET" && method !== "HEAD") {
        return errorResponse(405, "Only GET and HEAD are allowed", { Allow: "GET, HEAD" });
      }
      const { path } = splitTarget(target);
      const name = path.endsWith("/") ? `${path}index.html` : path;
      const file = site().files.find((candidate) => `/${candidate.path}` === name);
      if (file === undefined) return errorResponse(404, "Not found");
      const response = respond(200, file.mediaType, file.body);
      return method === "HEAD" ? { ...response, body: null } : response;
    },
    protocolErrorResponse: (error) =>
      error.kind === "malformed-request"
        ? errorResponse(error.status, "Malformed request")
        : errorResponse(500, "Internal server error"),
  };
}
