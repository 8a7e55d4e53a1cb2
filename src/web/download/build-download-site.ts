/** The download site as files: a page and a feed per language, made from the catalogue alone. */
import { staticPageContentSecurityPolicy } from "../../contract/content-security-policy.ts";
import { LANGUAGES } from "../../contract/language.ts";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { CACHE } from "../../contract/release/routes.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { DOWNLOAD_SCRIPT } from "../generated/download-script.ts";
import { DOWNLOAD_STYLE } from "../generated/download-style.ts";
import { html, type Html } from "../html.ts";
import { policySource, siteUrl } from "../safe-link.ts";
import { atomFeed } from "./feed.ts";
import { groupReleases } from "./group-releases.ts";
import { localiseRelease } from "./localise-release.ts";
import { downloadPage } from "./page.ts";
import { FEED_NAME, ICON_NAME, pageFolder } from "./site-paths.ts";

export interface DownloadSiteOptions {
  /** The display name of the app. */
  readonly productName: string;
  /** The product id of the catalogue. */
  readonly product: string;
  /** In any order; only published ones are shown. */
  readonly releases: readonly SourceRelease[];
  readonly smartDownloadUrl: string;
  /** Where the site will be served; a fragment such as #download is ignored. */
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
  /** For every file, besides its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

export function buildDownloadSite(options: DownloadSiteOptions): DownloadSite {
  const releases = groupReleases(options.releases);
  const websiteUrl = siteUrl("websiteUrl", options.websiteUrl).href;
  const apiUrl = siteUrl("apiBaseUrl", options.apiBaseUrl);
  const policy = staticPageContentSecurityPolicy({
    styleHash: options.sha256(DOWNLOAD_STYLE),
    scriptHash: options.sha256(DOWNLOAD_SCRIPT),
    imageOrigins: imageOrigins(releases.newest),
  });
  const page = {
    productName: options.productName,
    releases,
    websiteUrl,
    smartDownloadUrl: siteUrl("smartDownloadUrl", options.smartDownloadUrl).href,
    manifestUrl: new URL("api/v1/manifest", apiUrl).href,
    policy,
    now: options.now,
  };
  const stable = releases.newest ? [releases.newest, ...releases.earlier] : [];
  const feed = { ...options, releases: stable, websiteUrl };
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

/** The images of all languages, so that one header fits every page. */
function imageOrigins(newest: Release | undefined): string[] {
  if (newest === undefined) return [];
  const origins = LANGUAGES.flatMap((language) =>
    localiseRelease(newest, language).highlights.map(({ imageUrl }) =>
      imageUrl === null ? null : policySource(imageUrl),
    ),
  );
  return [...new Set(origins.filter((origin) => origin !== null))].sort();
}

function siteHeaders(policy: string): Record<string, string> {
  return {
    "Cache-Control": CACHE.current,
    // Browsers ignore frame-ancestors in a meta element.
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}

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
