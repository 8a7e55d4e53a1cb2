/** The download site as files: a page and a feed per language, made from the catalogue alone. */
import { staticPageContentSecurityPolicy } from "../../contract/content-security-policy.ts";
import { LANGUAGES, type Language } from "../../contract/language.ts";
import type { PublishedSource, SourceRelease } from "../../contract/release/catalog.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { THEMES, type Accent, type AccentPalette } from "../../rules/release/site/accent.ts";
import type { Site } from "../../rules/release/site/validate-site.ts";
import { DOWNLOAD_SCRIPT } from "../generated/download-script.ts";
import { DOWNLOAD_STYLE } from "../generated/download-style.ts";
import { html, type Html } from "../html.ts";
import { policySource, siteUrl } from "../safe-link.ts";
import { atomFeed } from "./feed.ts";
import { groupReleases } from "./group-releases.ts";
import { localiseRelease } from "./localise-release.ts";
import { downloadPage } from "./page.ts";
import { isDrawing } from "./screenshots.ts";
import { DEFAULT_LANGUAGE, FEED_NAME, ICON_NAME, pageFolder, picturePath } from "./site-paths.ts";

export interface DownloadSiteOptions {
  /** The display name of the app. */
  readonly productName: string;
  /** The product id of the catalogue. */
  readonly product: string;
  /** The theme that the maker gives the page; null: a plain one. */
  readonly site: Site | null;
  /** The releases are in any order; drafts are not shown. */
  readonly releases: readonly SourceRelease[];
  readonly smartDownloadUrl: string;
  /** The address at which the site will be served; a fragment such as #download is ignored. */
  readonly websiteUrl: string;
  readonly apiBaseUrl: string;
  readonly now: number;
  /** SHA-256 of the text's UTF-8 bytes, in padded Base64. */
  readonly sha256: (text: string) => string;
}

interface SiteFile {
  readonly path: string;
  readonly mediaType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface DownloadSite {
  readonly files: readonly SiteFile[];
  /** The folders of the page in other languages than that at the top. */
  readonly translations: Readonly<Partial<Record<Language, string>>>;
  /** The headers of every file, besides its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

export function buildDownloadSite(options: DownloadSiteOptions): DownloadSite {
  const { site, productName } = options;
  const releases = groupReleases(options.releases);
  const websiteUrl = siteUrl("websiteUrl", options.websiteUrl).href;
  const apiUrl = siteUrl("apiBaseUrl", options.apiBaseUrl);
  const style = `${DOWNLOAD_STYLE}${accentStyle(site?.palette ?? null)}`;
  const policy = staticPageContentSecurityPolicy({
    styleHash: options.sha256(style),
    scriptHash: options.sha256(DOWNLOAD_SCRIPT),
    imageSources: imageSources(releases.newest, site),
  });
  const page = {
    productName,
    site,
    releases,
    websiteUrl,
    smartDownloadUrl: siteUrl("smartDownloadUrl", options.smartDownloadUrl).href,
    manifestUrl: new URL("api/v1/manifest", apiUrl).href,
    policy,
    style,
    now: options.now,
  };
  const stable = releases.newest ? [releases.newest, ...releases.earlier] : [];
  const feed = { ...options, releases: stable, websiteUrl };
  const files = LANGUAGES.flatMap((language) => [
    file(`${pageFolder(language)}index.html`, "text/html", downloadPage(page, language)),
    file(`${pageFolder(language)}${FEED_NAME}`, "application/atom+xml", atomFeed(feed, language)),
  ]);
  files.push(...pictureFiles(site, productName));
  return { files, translations: TRANSLATIONS, headers: siteHeaders(policy) };
}

const TRANSLATIONS = Object.fromEntries(
  LANGUAGES.filter((language) => language !== DEFAULT_LANGUAGE).map((language) => [
    language,
    pageFolder(language),
  ]),
);

/** The style comes after that of the page, whose colours it replaces except on paper. */
function accentStyle(accent: Accent | null): string {
  if (accent === null) return "";
  return THEMES.map(
    (theme) =>
      `@media screen and (prefers-color-scheme:${theme}){:root{${properties(accent[theme])}}}`,
  ).join("");
}

function properties({ accent, strong, onAccent, tint }: AccentPalette): string {
  return `--accent:${accent};--accent-strong:${strong};--on-accent:${onAccent};--accent-tint:${tint}`;
}

/** The pictures of the site; without a logo the page and its tab have the first letter of the name. */
function pictureFiles(site: Site | null, productName: string): SiteFile[] {
  const pictures = [...(site?.pictures ?? [])]
    .filter(([, picture]) => !isDrawing(picture))
    .map(([name, { mediaType, bytes }]) => ({ path: picturePath(name), mediaType, body: bytes }));
  if (site?.logo !== undefined) return pictures;
  const colour = site?.palette?.light.accent ?? ICON_COLOUR;
  return [...pictures, file(ICON_NAME, "image/svg+xml", siteIcon(productName, colour))];
}

function file(path: string, type: string, { markup }: Html): SiteFile {
  return { path, mediaType: `${type}; charset=utf-8`, body: markup };
}

/** The images of all languages, so that one header fits every page. */
function imageSources(newest: PublishedSource | undefined, site: Site | null): string[] {
  const highlights =
    newest === undefined
      ? []
      : LANGUAGES.flatMap((language) => localiseRelease(newest, language).highlights);
  const origins = highlights.map(({ imageUrl }) =>
    imageUrl === null ? null : policySource(imageUrl),
  );
  const hasDrawing = [...(site?.pictures.values() ?? [])].some(isDrawing);
  const sources = [...origins, hasDrawing ? "data:" : null].filter((source) => source !== null);
  return [...new Set(sources)].sort();
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

const ICON_COLOUR = "#1b6748";

function siteIcon(productName: string, colour: string): Html {
  const [letter = ""] = productName.trim().toUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="${colour}" />
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
