/** `site.json` of a catalogue: the name, the colours and the pictures of the download page. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { AnyArtifactPlatform, HttpsUrl } from "./schemas.ts";

export const SITE_SCHEMA_VERSION = 1;
/** Visitors load every screenshot, so a page has few and each is small. */
export const MAX_SCREENSHOTS = 8;
export const MAX_SCREENSHOT_BYTES = 2_000_000;
export const MAX_LOGO_BYTES = 256_000;
/** Decoded pictures of more pixels than this strain a phone. */
export const MAX_PICTURE_SIDE = 4096;
export const MAX_SITE_LINKS = 8;

function text(maxLength: number) {
  return Type.String({
    maxLength,
    pattern: "\\S",
    description: `text of 1 to ${maxLength} characters`,
  });
}

/** Every text is in each language of the page. */
function localisedText(maxLength: number) {
  return closedObject({ en: text(maxLength), de: text(maxLength) });
}

const Colour = Type.String({
  pattern: "^#[0-9A-Fa-f]{6}$",
  description: 'a colour of six hexadecimal digits such as "#1b6748"',
});

const Logo = Type.String({
  maxLength: 100,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*\\.(?:svg|png|jpg|jpeg|webp|avif)$",
  description:
    'the name of a file in the folder "site" of the catalogue that ends in .svg, .png, .jpg, .webp or .avif',
});

const Photo = Type.String({
  maxLength: 100,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*\\.(?:png|jpg|jpeg|webp|avif)$",
  description:
    'the name of a file in the folder "site" of the catalogue that ends in .png, .jpg, .webp or .avif',
});

export const SiteScreenshot = closedObject({
  file: Photo,
  /** The picture to show where the visitor's system is dark. */
  darkFile: Type.Optional(Photo),
  alt: localisedText(300),
  caption: Type.Optional(localisedText(140)),
});

/** The app in a store, which installs it by itself. */
export const SiteStore = closedObject({
  platform: AnyArtifactPlatform,
  name: text(40),
  url: HttpsUrl,
});

/** A link in the footer: an imprint, a privacy policy, the source. */
export const SiteLink = closedObject({ label: localisedText(40), url: HttpsUrl });

export const SiteFile = closedObject({
  schemaVersion: Type.Literal(SITE_SCHEMA_VERSION),
  name: text(60),
  tagline: Type.Optional(localisedText(120)),
  description: Type.Optional(localisedText(400)),
  logo: Type.Optional(Logo),
  accent: Type.Optional(Colour),
  /** The accent of a dark theme; without it the accent is lightened until it can be read there. */
  accentDark: Type.Optional(Colour),
  screenshots: Type.Optional(Type.Array(SiteScreenshot, { maxItems: MAX_SCREENSHOTS })),
  stores: Type.Optional(Type.Array(SiteStore, { maxItems: MAX_SITE_LINKS })),
  links: Type.Optional(Type.Array(SiteLink, { maxItems: MAX_SITE_LINKS })),
});

export type SiteScreenshot = Static<typeof SiteScreenshot>;
export type SiteStore = Static<typeof SiteStore>;
export type SiteLink = Static<typeof SiteLink>;
export type SiteFile = Static<typeof SiteFile>;
