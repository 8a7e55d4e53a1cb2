/** Serves the files of a static site: the download page, and the example app in the demo. */
import { randomUUID } from "node:crypto";
import { LANGUAGES } from "../contract/language.ts";
import { chooseLanguage } from "../http/choose-language.ts";
import { completeResponse, contentResponse, type HttpResponse } from "../http/response.ts";
import type { RawRequest } from "../http/request.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { splitTarget } from "../http/target.ts";
import type { DownloadSite } from "../web/download/build-download-site.ts";
import { LANGUAGE_PARAMETER } from "../web/download/site-paths.ts";

/** The page of a folder is its `index.html`; readers of other languages are led to a translation. */
export type ServedSite = Pick<DownloadSite, "files" | "headers"> & {
  readonly translations?: Translations;
};

type Translations = DownloadSite["translations"];

const TEXT_TYPE = "text/plain; charset=utf-8";

/** `site` is called for each request, so that a new release shows without a restart. */
export function createSiteService(site: () => ServedSite): HttpService {
  const errorResponse = (status: number, text: string, headers = {}) =>
    contentResponse(status, TEXT_TYPE, `${text}\n`, headers);
  const complete = (response: HttpResponse, method?: string) =>
    completeResponse(response, site().headers, randomUUID(), method);

  function handle(request: RawRequest): HttpResponse {
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
      return contentResponse(302, TEXT_TYPE, "", { ...vary, Location: location });
    }
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const file = site().files.find((candidate) => `/${candidate.path}` === name);
    return file === undefined
      ? errorResponse(404, "Not found")
      : contentResponse(200, file.mediaType, file.body, vary);
  }

  return {
    respond: (request) => complete(handle(request), request.method),
    protocolErrorResponse: (error) =>
      complete(
        error.kind === "malformed-request"
          ? errorResponse(error.status, "Malformed request")
          : errorResponse(500, "Internal server error"),
      ),
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
