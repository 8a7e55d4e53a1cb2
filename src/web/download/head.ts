/** The head of the page: its policy, its translations, and what other sites show when they link to it. */
import { LANGUAGES, type Language } from "../../contract/language.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import type { Site, SitePicture } from "../../rules/release/site/validate-site.ts";
import { LOCALES } from "../format.ts";
import { DOWNLOAD_SCRIPT } from "../generated/download-script.ts";
import { html, trustedHtml, type Html } from "../html.ts";
import { localiseRelease } from "./localise-release.ts";
import type { PageOptions } from "./page-options.ts";
import { logoAddress, logoType } from "./screenshots.ts";
import { DEFAULT_LANGUAGE, FEED_NAME, pageFolder, picturePath } from "./site-paths.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

// The policy contains the hash of the text between the tags, so no space may be added there.
const SCRIPT = trustedHtml(`<script>${DOWNLOAD_SCRIPT}</script>`);

export function pageHead(options: PageOptions, language: Language): Html {
  const { productName, site, websiteUrl, policy, style } = options;
  const texts = DOWNLOAD_TEXTS[language];
  const { title, description } = describe(options, language);
  return html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    ${SCRIPT}
    <title>${title}</title>
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${websiteUrl}${pageFolder(language)}" />
    ${LANGUAGES.map((other) => alternate(other, `${websiteUrl}${pageFolder(other)}`))}
    ${alternate("x-default", `${websiteUrl}${pageFolder(DEFAULT_LANGUAGE)}`)}
    <link
      rel="alternate"
      type="application/atom+xml"
      title="${texts.feedTitle(productName)}"
      href="${FEED_NAME}"
    />
    <link rel="icon" type="${logoType(site)}" href="${logoAddress(site, language)}" />
    ${preview(options, language)} ${trustedHtml(`<style>${style}</style>`)}
  </head>`;
}

function alternate(language: string, url: string): Html {
  return html`<link rel="alternate" hreflang="${language}" href="${url}" /> `;
}

function describe({ productName, site, releases }: PageOptions, language: Language) {
  const texts = DOWNLOAD_TEXTS[language];
  const { newest } = releases;
  const summary = newest && localiseRelease(newest, language).summary;
  return {
    title: newest ? texts.title(productName, appVersionOf(newest)) : texts.nothingYet(productName),
    description:
      site?.description?.[language] ??
      site?.tagline?.[language] ??
      summary ??
      texts.feedTitle(productName),
  };
}

/** The Open Graph protocol, which other sites and messengers read. */
function preview(options: PageOptions, language: Language): Html {
  const { productName, site, websiteUrl } = options;
  const { title, description } = describe(options, language);
  const tagline = site?.tagline?.[language];
  const picture = previewPicture(site, language);
  const properties: readonly (readonly [name: string, value: string])[] = [
    ["og:type", "website"],
    ["og:site_name", productName],
    ["og:title", tagline === undefined ? title : `${productName}: ${tagline}`],
    ["og:description", description],
    ["og:url", `${websiteUrl}${pageFolder(language)}`],
    ["og:locale", locale(language)],
    ...LANGUAGES.filter((other) => other !== language).map(
      (other) => ["og:locale:alternate", locale(other)] as const,
    ),
    ...(picture === null ? [] : pictureProperties(picture, websiteUrl)),
  ];
  const card = picture?.isLarge === true ? "summary_large_image" : "summary";
  return html`${properties.map(([name, value]) => html`<meta property="${name}" content="${value}" /> `)}
    <meta name="twitter:card" content="${card}" />`;
}

function locale(language: Language): string {
  return LOCALES[language].replace("-", "_");
}

interface PreviewPicture {
  readonly name: string;
  readonly picture: SitePicture;
  readonly alt: string;
  /** A screenshot may fill the width of the preview, a logo not. */
  readonly isLarge: boolean;
}

function previewPicture(site: Site | null, language: Language): PreviewPicture | null {
  if (site === null) return null;
  const candidates = [
    ...(site.screenshots ?? []).map(({ file, alt }) => ({
      name: file,
      alt: alt[language],
      isLarge: true,
    })),
    ...(site.logo === undefined ? [] : [{ name: site.logo, alt: site.name, isLarge: false }]),
  ];
  for (const candidate of candidates) {
    const picture = site.pictures.get(candidate.name);
    if (picture !== undefined && isCommon(picture)) return { ...candidate, picture };
  }
  return null;
}

/** Few previews can show a drawing or AVIF. */
function isCommon({ mediaType }: SitePicture): boolean {
  return ["image/png", "image/jpeg", "image/webp"].includes(mediaType);
}

function pictureProperties(
  { name, picture, alt }: PreviewPicture,
  websiteUrl: string,
): (readonly [string, string])[] {
  const { mediaType, size } = picture;
  return [
    ["og:image", `${websiteUrl}${picturePath(name)}`],
    ["og:image:type", mediaType],
    ...(size === null
      ? []
      : ([
          ["og:image:width", String(size.width)],
          ["og:image:height", String(size.height)],
        ] as const)),
    ["og:image:alt", alt],
  ];
}
