/**
 * The download site as files: a page and a feed per language, made from the catalogue alone. A pure
 * function, so the demo can serve what the export writes.
 */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { html, type Html } from "../html.ts";
import { LANGUAGES } from "../language.ts";
import { siteUrl } from "../safe-link.ts";
import { atomFeed } from "./feed.ts";
import { downloadPage } from "./page.ts";
import { FEED_NAME, ICON_NAME, pageFolder } from "./pages.ts";
import { contentSecurityPolicy } from "./policy.ts";
import { arrangeReleases } from "./shelf.ts";

export interface DownloadSiteOptions {
  /** The name people know the app by. */
  readonly productName: string;
  /** The catalogue's product id. */
  readonly product: string;
  /** Any order, any channel; what is not published is left out. */
  readonly releases: readonly SourceRelease[];
  readonly smartDownloadUrl: string;
  /** Where this site will stand; a fragment such as #download does no harm. */
  readonly websiteUrl: string;
  readonly apiBaseUrl: string;
  readonly now: number;
  /** SHA-256 of the text's UTF-8 bytes, in padded Base64. */
  readonly sha256: (text: string) => string;
}

interface SiteFile {
  readonly path: string;
  readonly mediaType: string;
  readonly body: string;
}

export interface DownloadSite {
  readonly files: readonly SiteFile[];
  /** What a server should send with every file, beside its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

export function buildDownloadSite(options: DownloadSiteOptions): DownloadSite {
  const shelf = arrangeReleases(options.releases);
  const websiteUrl = siteUrl("websiteUrl", options.websiteUrl).href;
  const apiUrl = siteUrl("apiBaseUrl", options.apiBaseUrl);
  const policy = contentSecurityPolicy(shelf.newest, options.sha256);
  const page = {
    productName: options.productName,
    shelf,
    websiteUrl,
    smartDownloadUrl: siteUrl("smartDownloadUrl", options.smartDownloadUrl).href,
    manifestUrl: new URL("api/v1/manifest", apiUrl).href,
    policy,
    now: options.now,
  };
  const releases = shelf.newest ? [shelf.newest, ...shelf.earlier] : [];
  const feed = { ...options, releases, websiteUrl };
  const files = LANGUAGES.flatMap((language) => [
    file(`${pageFolder(language)}index.html`, "text/html", downloadPage(page, language)),
    file(`${pageFolder(language)}${FEED_NAME}`, "application/atom+xml", atomFeed(feed, language)),
  ]);
  files.push(file(ICON_NAME, "image/svg+xml", siteIcon(options.productName)));
  return { files, headers: siteHeaders(policy) };
}

function file(path: string, type: string, { markup }: Html): SiteFile {
  return { path, mediaType: `${type}; charset=utf-8`, body: markup };
}

function siteHeaders(policy: string): Record<string, string> {
  return {
    "Cache-Control": CACHE.current,
    // Browsers take frame-ancestors from the header only, not from the page.
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}

/** The first letter of the name on the page's own green. */
function siteIcon(productName: string): Html {
  const [letter = ""] = productName.trim().toUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="#1b6748" />
    <text
      x="16"
      y="23"
      font-family="system-ui, sans-serif"
      font-size="20"
      font-weight="700"
      text-anchor="middle"
      fill="#fff"
    >
      ${letter}
    </text>
  </svg> `;
}
