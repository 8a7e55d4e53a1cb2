/** Serves the files of a static site: the download page, and the example app in the demo. */
import { randomUUID } from "node:crypto";
import { LANGUAGES } from "../../src/contract/language.ts";
import { chooseLanguage } from "../../src/http/choose-language.ts";
import {
  completeResponse,
  contentResponse,
  withoutBody,
  type CompleteResponse,
} from "../../src/http/response.ts";
import type { RawRequest } from "../../src/http/request.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { splitTarget } from "../../src/http/target.ts";
import type { DownloadSite } from "../../src/web/download/build-download-site.ts";
import { LANGUAGE_PARAMETER } from "../../src/web/download/site-paths.ts";

/** The page of a folder is its `index.html`; readers of other languages are led to a translation. */
export type ServedSite = Pick<DownloadSite, "files" | "headers"> & {
  readonly translations?: Translations;
};

type Translations = DownloadSite["translations"];
type SiteBody = DownloadSite["files"][number]["body"];

/** `site` is called for each request, so that a new release shows without a restart. */
export function createSiteService(site: () => ServedSite): HttpService {
  const respond = (status: number, type: string, body: SiteBody, extra = {}): CompleteResponse =>
    completeResponse(contentResponse(status, type, body, extra), site().headers, randomUUID());
  const errorResponse = (status: number, text: string, extra = {}) =>
    respond(status, "text/plain; charset=utf-8", `${text}\n`, extra);

  function handle(request: RawRequest): CompleteResponse {
    const { method, target } = request;
    if (method !== "GET" && method !== "HEAD") {
      return errorResponse(405, "Only GET and HEAD are allowed", { Allow: "GET, HEAD" });
    }
    const { path, search } = splitTarget(target);
    const { translations } = site();
    const isTranslated = path === "/" && translations !== undefined;
    const vary = isTranslated ? { Vary: "Accept-Language" } : {};
    const folder = isTranslated
      ? findTranslation(translations, search, request.header("accept-language"))
      : undefined;
    if (folder !== undefined) {
      const location = `/${folder}${search === "" ? "" : `?${search}`}`;
      return respond(302, "text/plain; charset=utf-8", "", { ...vary, Location: location });
    }
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const file = site().files.find((candidate) => `/${candidate.path}` === name);
    return file === undefined
      ? errorResponse(404, "Not found")
      : respond(200, file.mediaType, file.body, vary);
  }

  return {
    respond(request) {
      const response = handle(request);
      return request.method === "HEAD" ? withoutBody(response) : response;
    },
    protocolErrorResponse: (error) =>
      error.kind === "malformed-request"
        ? errorResponse(error.status, "Malformed request")
        : errorResponse(500, "Internal server error"),
  };
}

/** The translation to lead a visitor to; undefined when the page is in their language, or they chose it. */
function findTranslation(
  translations: Translations,
  search: string,
  acceptLanguage: string | null,
): string | undefined {
  if (new URLSearchParams(search).has(LANGUAGE_PARAMETER)) return undefined;
  return translations[chooseLanguage(acceptLanguage, LANGUAGES)];
}
