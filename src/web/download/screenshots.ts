/** The screenshots of `site.json`, and the logo. */
import type { Language } from "../../contract/language.ts";
import type { SiteScreenshot } from "../../contract/release/site.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { Site, SitePicture } from "../../rules/release/site/validate-site.ts";
import { html, type Html } from "../html.ts";
import { ICON_NAME, pathToTop, picturePath } from "./site-paths.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/**
 * The address of the maker's logo, or of the first letter of the name. A drawing may have scripts, which would run
 * if a visitor opened its file: so there is none, and the drawing is in the page as an image, where no script runs.
 */
export function logoAddress(site: Site | null, language: Language): string {
  const logo = findLogo(site);
  if (logo !== null && isDrawing(logo)) return dataAddress(logo);
  const path = site?.logo === undefined ? ICON_NAME : picturePath(site.logo);
  return `${pathToTop(language)}${path}`;
}

export function logoType(site: Site | null): string {
  return findLogo(site)?.mediaType ?? DRAWING_TYPE;
}

export function isDrawing({ mediaType }: SitePicture): boolean {
  return mediaType === DRAWING_TYPE;
}

const DRAWING_TYPE = "image/svg+xml";

function findLogo(site: Site | null): SitePicture | null {
  return site?.logo === undefined ? null : (site.pictures.get(site.logo) ?? null);
}

/** RFC 2397. Browsers need no padding (https://infra.spec.whatwg.org/#forgiving-base64-decode). */
function dataAddress({ mediaType, bytes }: SitePicture): string {
  const base64 = encodeBase64Url(bytes).replaceAll("-", "+").replaceAll("_", "/");
  return `data:${mediaType};base64,${base64}`;
}

/** An upright screenshot, as those of phones are, has room beside text. */
function heroScreenshot(site: Site | null): SiteScreenshot | null {
  const first = site?.screenshots?.[0];
  return first !== undefined && site !== null && isUpright(site, first) ? first : null;
}

/** The logo beside the headline; null when a screenshot has that place. */
export function heroLogo(site: Site | null, language: Language): Html | null {
  if (heroScreenshot(site) !== null) return null;
  return html`<img class="hero-logo" src="${logoAddress(site, language)}" alt="" />`;
}

export function heroFigure(site: Site | null, language: Language): Html | null {
  const screenshot = heroScreenshot(site);
  if (site === null || screenshot === null) return null;
  return html`<div class="hero-picture">${figure(site, screenshot, language, "eager")}</div>`;
}

/** Shows the screenshots that are not beside the headline. */
export function screenshotSection(site: Site | null, language: Language): Html | null {
  if (site === null) return null;
  const hero = heroScreenshot(site);
  const screenshots = (site.screenshots ?? []).filter((screenshot) => screenshot !== hero);
  if (screenshots.length === 0) return null;
  return html`<section class="screenshots" aria-label="${DOWNLOAD_TEXTS[language].screenshots}">
    ${screenshots.map((screenshot) => figure(site, screenshot, language, "lazy"))}
  </section>`;
}

function figure(
  site: Site,
  screenshot: SiteScreenshot,
  language: Language,
  loading: "eager" | "lazy",
): Html {
  const { file, darkFile, alt, caption } = screenshot;
  const size = site.pictures.get(file)?.size;
  const address = (name: string) => `${pathToTop(language)}${picturePath(name)}`;
  return html`<figure class="${isUpright(site, screenshot) ? "upright" : "lying"}">
    <picture>
      ${darkFile !== undefined && html`<source media="(prefers-color-scheme: dark)" srcset="${address(darkFile)}" />`}
      <img
        src="${address(file)}"
        alt="${alt[language]}"
        width="${size?.width ?? 1}"
        height="${size?.height ?? 1}"
        loading="${loading}"
        decoding="async"
      />
    </picture>
    ${caption !== undefined && html`<figcaption class="meta">${caption[language]}</figcaption>`}
  </figure>`;
}

function isUpright(site: Site, { file }: SiteScreenshot): boolean {
  const size = site.pictures.get(file)?.size;
  return size !== null && size !== undefined && size.height > size.width;
}
