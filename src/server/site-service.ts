/** Serves the files of a static site, as any web server would. */
import { randomUUID } from "node:crypto";
import type { HttpResponse } from "../http/response.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { splitTarget } from "../http/target.ts";
import type { DownloadSite } from "../web/download/build-download-site.ts";

/** `site` is asked for each request, so that a new release shows without a restart. */
export function createSiteService(site: () => DownloadSite): HttpService {
  const complete = (status: number, type: string, body: string, extra = {}): HttpResponse => ({
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
  const refuse = (status: number, text: string, extra = {}) =>
    complete(status, "text/plain; charset=utf-8", `${text}\n`, extra);
  return {
    respond({ method, target }) {
      if (method !== "GET" && method !== "HEAD") {
        return refuse(405, "Only GET and HEAD are answered", { Allow: "GET, HEAD" });
      }
      const { path } = splitTarget(target);
      const name = path.endsWith("/") ? `${path}index.html` : path;
      const file = site().files.find((candidate) => `/${candidate.path}` === name);
      if (file === undefined) return refuse(404, "Not found");
      const answer = complete(200, file.mediaType, file.body);
      return method === "HEAD" ? { ...answer, body: null } : answer;
    },
    protocolErrorResponse: (problem) =>
      problem.kind === "malformed-request"
        ? refuse(problem.status, "Not understood")
        : refuse(500, "Failed unexpectedly"),
  };
}
