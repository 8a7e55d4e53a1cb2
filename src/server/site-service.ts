/**
 * Serves the files of a static site: the download page, the documentation, an app. Each file is compressed
 * once, and a browser that has it gets 304.
 */
import { randomBytes } from "node:crypto";
import { LANGUAGES } from "../contract/language.ts";
import { chooseLanguage } from "../http/choose-language.ts";
import {
  chooseResponse,
  conditionalContent,
  type ConditionalResponse,
} from "../http/conditional.ts";
import {
  chooseEncoding,
  encodeContent,
  isCompressible,
  type ContentEncoding,
} from "../http/content-encoding.ts";
import { createFrameAnywhere, htmlResponse } from "../http/html-response.ts";
import { createPlainService } from "../http/plain-service.ts";
import { contentResponse, type HttpResponse } from "../http/response.ts";
import { acceptsHtml, type RawRequest } from "../http/request.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { splitTarget } from "../http/target.ts";
import { renderNotFoundPage } from "../web/error-card.ts";
import type { DownloadSite } from "../web/download/build-download-site.ts";
import { LANGUAGE_PARAMETER } from "../web/download/site-paths.ts";

/** The page of a folder is its `index.html`; readers of other languages are led to a translation. */
export interface ServedSite extends Pick<DownloadSite, "headers"> {
  readonly files: readonly ServedFile[];
  readonly translations?: DownloadSite["translations"];
}

type ServedFile = DownloadSite["files"][number] & {
  /** In the place of that of the site, for a file whose name has its hash. */
  readonly cacheControl?: string;
};

/** Browsers ask whether a file has changed. */
const REVALIDATED = "no-cache";

/** `site` is called for each request, so that a new release shows without a restart. */
export function createSiteService(site: () => ServedSite): HttpService {
  const encoded = new WeakMap<ServedFile, Map<ContentEncoding, Promise<ConditionalResponse>>>();

  function encodeOnce(
    file: ServedFile,
    encoding: ContentEncoding,
    cacheControl: string,
  ): Promise<ConditionalResponse> {
    const known = encoded.get(file) ?? new Map<ContentEncoding, Promise<ConditionalResponse>>();
    encoded.set(file, known);
    const encode = async () =>
      conditionalContent(file.mediaType, await encodeContent(file.body, encoding), cacheControl);
    const found = known.get(encoding) ?? encode();
    known.set(encoding, found);
    return found;
  }

  async function fileResponse(
    file: ServedFile,
    request: RawRequest,
    vary: readonly string[],
  ): Promise<HttpResponse> {
    const cacheControl = file.cacheControl ?? site().headers["Cache-Control"] ?? REVALIDATED;
    const hasEncodings = isCompressible(file.mediaType);
    const encoding = hasEncodings ? chooseEncoding(request.header("accept-encoding")) : "identity";
    const { headers, ...response } = chooseResponse(
      await encodeOnce(file, encoding, cacheControl),
      request.header("if-none-match"),
    );
    const varied = [...vary, ...(hasEncodings ? ["Accept-Encoding"] : [])].join(", ");
    const isEncoded = encoding !== "identity" && response.status === 200;
    const own = {
      ...(isEncoded && { "Content-Encoding": encoding }),
      ...(varied !== "" && { Vary: varied }),
    };
    return { ...response, headers: { ...headers, ...own } };
  }

  async function handle(request: RawRequest): Promise<HttpResponse> {
    const { method, target } = request;
    if (method !== "GET" && method !== "HEAD") {
      return errorResponse(405, "Only GET and HEAD are allowed", { Allow: "GET, HEAD" });
    }
    const { path, search } = splitTarget(target);
    const { translations } = site();
    const isTranslated = path === "/" && translations !== undefined;
    const hasChosen = new URLSearchParams(search).has(LANGUAGE_PARAMETER);
    const language = chooseLanguage(request.header("accept-language"), LANGUAGES);
    const folder = isTranslated && !hasChosen ? translations[language] : undefined;
    if (folder !== undefined) {
      const location = `/${folder}${search === "" ? "" : `?${search}`}`;
      return plainResponse(302, "", { Vary: "Accept-Language", Location: location });
    }
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const file = site().files.find((candidate) => `/${candidate.path}` === name);
    if (file !== undefined)
      return fileResponse(file, request, isTranslated ? ["Accept-Language"] : []);
    return acceptsHtml(request) ? notFoundPage(request) : errorResponse(404, "Not found");
  }

  return createPlainService({ headers: () => site().headers, handle, errorResponse });
}

function notFoundPage(request: RawRequest): HttpResponse {
  const frame = createFrameAnywhere(request, request.header("host") ?? "", randomBytes);
  return htmlResponse(404, renderNotFoundPage(frame, null, "/"), frame);
}

const errorResponse = (status: number, message: string, headers = {}) =>
  plainResponse(status, `${message}\n`, headers);

const plainResponse = (status: number, text: string, headers: HttpResponse["headers"]) =>
  contentResponse(status, "text/plain; charset=utf-8", text, headers);
