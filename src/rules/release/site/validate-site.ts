/** Checks `site.json` and its pictures: each error with the place, what is wrong and what to do. */
import { createChecker } from "../../../contract/check.ts";
import {
  MAX_LOGO_BYTES,
  MAX_PICTURE_SIDE,
  MAX_SCREENSHOT_BYTES,
  SiteFile,
} from "../../../contract/release/site.ts";
import { checkAgainstSchema, type CatalogFileError } from "../catalog-file-error.ts";
import { SITE_FILE, SITE_FOLDER } from "../catalog-files.ts";
import {
  checkAccent,
  deriveAccent,
  MIN_TEXT_CONTRAST,
  type Accent,
  type AccentError,
} from "./accent.ts";
import {
  identifyPicture,
  PICTURE_TYPES,
  type IdentifiedPicture,
  type PictureSize,
} from "./identify-picture.ts";

export interface SitePicture extends IdentifiedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The theme that a maker gives the download page. */
export interface Site extends SiteFile {
  /** Null: the page has its own colours. */
  readonly palette: Accent | null;
  /** Pictures by the name of the file. */
  readonly pictures: ReadonlyMap<string, SitePicture>;
}

/** A picture that could be read, or why not. */
export type PictureContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "unusable"; readonly problem: string; readonly remedy: string };

/** Reads a file of the pictures' folder of at most `maxBytes` bytes. */
export type ReadPicture = (name: string, maxBytes: number) => PictureContent;

export type SiteResult =
  | { readonly kind: "valid"; readonly site: Site }
  | { readonly kind: "invalid"; readonly errors: readonly CatalogFileError[] };

export function validateSite(value: unknown, readPicture: ReadPicture): SiteResult {
  const errors: CatalogFileError[] = [];
  const file = checkAgainstSchema(siteChecker, SITE_FILE, value, errors);
  if (file === undefined) return { kind: "invalid", errors };
  errors.push(...checkColours(file), ...checkAddresses(file));
  const pictures = new Map<string, SitePicture>();
  for (const use of pictureUses(file)) {
    const result = readAndCheck(use, readPicture);
    if ("problem" in result) errors.push(result);
    else pictures.set(use.name, result);
  }
  if (errors.length > 0) return { kind: "invalid", errors };
  const { accent, accentDark } = file;
  const palette = accent === undefined ? null : deriveAccent(accent, accentDark);
  return { kind: "valid", site: { ...file, palette, pictures } };
}

const siteChecker = createChecker(SiteFile);

function checkColours({ accent, accentDark }: SiteFile): CatalogFileError[] {
  const errors: CatalogFileError[] = [];
  if (accent !== undefined) {
    const error = checkAccent(accent, "light");
    if (error !== null) errors.push(toFileError("accent", error, "darker"));
  }
  if (accentDark !== undefined) {
    if (accent === undefined) {
      const remedy = 'add "accent", the colour of the light theme';
      errors.push({ file: SITE_FILE, path: "accentDark", problem: "is without an accent", remedy });
    }
    const error = checkAccent(accentDark, "dark");
    if (error !== null) errors.push(toFileError("accentDark", error, "lighter"));
  }
  return errors;
}

function toFileError(path: string, error: AccentError, direction: string): CatalogFileError {
  const { theme, colour, against, ratio, suggestion } = error;
  // Rounded down, so that 4.49 is not told as enough.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1);
  return {
    file: SITE_FILE,
    path,
    problem: `"${colour}" has a contrast of ${shown}:1 on the ${theme} page (${against}), and text needs ${MIN_TEXT_CONTRAST}:1`,
    remedy: `use a ${direction} colour such as "${suggestion}"`,
  };
}

/** Links with credentials in them, or no host, are not shown. */
function checkAddresses({ stores = [], links = [] }: SiteFile): CatalogFileError[] {
  const addresses = [
    ...stores.map(({ url }, index) => [`stores[${index}].url`, url] as const),
    ...links.map(({ url }, index) => [`links[${index}].url`, url] as const),
  ];
  return addresses.flatMap(([path, url]) =>
    /^https:\/\/[^/?#@\s]+(?:[/?#]|$)/.test(url)
      ? []
      : [
          {
            file: SITE_FILE,
            path,
            problem: `"${url}" has no plain host name`,
            remedy: "use https://host/path without user information",
          },
        ],
  );
}

interface PictureUse {
  readonly path: string;
  readonly name: string;
  readonly maxBytes: number;
}

function pictureUses({ logo, screenshots = [] }: SiteFile): PictureUse[] {
  const uses: PictureUse[] = [];
  if (logo !== undefined) uses.push({ path: "logo", name: logo, maxBytes: MAX_LOGO_BYTES });
  screenshots.forEach(({ file, darkFile }, index) => {
    const at = `screenshots[${index}]`;
    uses.push({ path: `${at}.file`, name: file, maxBytes: MAX_SCREENSHOT_BYTES });
    if (darkFile === undefined) return;
    uses.push({ path: `${at}.darkFile`, name: darkFile, maxBytes: MAX_SCREENSHOT_BYTES });
  });
  return uses;
}

function readAndCheck(
  { path, name, maxBytes }: PictureUse,
  readPicture: ReadPicture,
): SitePicture | CatalogFileError {
  const fail = (problem: string, remedy: string) => ({
    file: SITE_FILE,
    path,
    problem: `"${SITE_FOLDER}/${name}" ${problem}`,
    remedy,
  });
  const content = readPicture(name, maxBytes);
  if (content.kind === "unusable") return fail(content.problem, content.remedy);
  const { bytes } = content;
  const found = identifyPicture(bytes);
  if (found === null) {
    return fail("is not a picture", "export it again as SVG, PNG, JPEG, WebP or AVIF");
  }
  const type = PICTURE_TYPES[found.mediaType];
  const extension = name.slice(name.lastIndexOf(".") + 1);
  if (!(type.extensions as readonly string[]).includes(extension)) {
    return fail(`is a ${type.name} picture`, `rename it so that it ends in .${type.extensions[0]}`);
  }
  if (found.size !== null && isTooLarge(found.size)) {
    const { width, height } = found.size;
    const remedy = `scale it down to at most ${MAX_PICTURE_SIDE} pixels a side`;
    return fail(`has ${width} × ${height} pixels`, remedy);
  }
  return { ...found, bytes };
}

function isTooLarge({ width, height }: PictureSize): boolean {
  return Math.max(width, height) > MAX_PICTURE_SIDE;
}
