/**
 * The documentation as a site of static files: a page for each Markdown file, two landing pages, and what they
 * show. All links are relative, so it works at any address and opened from a disk.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../src/contract/language.ts";
import { DOCS_SCRIPT } from "../src/web/generated/docs-script.ts";
import { DOCS_SEARCH } from "../src/web/generated/docs-search.ts";
import { DOCS_STYLE } from "../src/web/generated/docs-style.ts";
import { DOCS_THEME } from "../src/web/generated/docs-theme.ts";
import { buildSearchIndex } from "./build-search-index.ts";
import { renderDocsPage } from "./docs-page.ts";
import { renderLanding } from "./landing.ts";
import { LANDING } from "./contents.ts";
import { FILMS } from "./film.ts";
import type { Assets } from "./page-frame.ts";
import { readPages, type DocsPage } from "./read-pages.ts";
import { SiteFiles, type SiteFile } from "./site-files.ts";
import { addThemes } from "../src/web/style/themed-style.ts";
import { WHOLE_PICTURES, drawWhole } from "./whole-picture.ts";

export interface DocsSite {
  /** Those in `assets/` have a hash in their name and never change. */
  readonly files: readonly SiteFile[];
  /** The headers of every file, besides its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `root` has `docs/`; what else is missing, as in a packed package, is left out. */
export function renderDocs(root: string): DocsSite {
  const pages = readPages(root);
  const files = new SiteFiles(root, pages);
  const assets = addAssets(files, [...pages.values()]);
  const films = addFilms(root, files);
  const site = { pages, assets: { ...assets, ...films }, version: readVersion(root) };
  for (const picture of WHOLE_PICTURES) files.add(picture.path, drawWhole(picture));
  for (const page of pages.values()) {
    files.add(page.path, renderDocsPage(site, page, files.targetsOf(page)));
  }
  for (const language of ["en", "de"] as const) {
    files.add(LANDING[language], renderLanding(site, language));
  }
  return { files: files.list(), headers: HEADERS };
}

function addFilms(root: string, files: SiteFiles): Pick<Assets, "films"> {
  const paths = Object.values(FILMS).flatMap(({ path, poster }) => [path, poster]);
  if (!paths.every((path) => existsSync(join(root, path)))) return {};
  for (const path of paths) files.add(path, readFileSync(join(root, path)));
  return { films: { en: FILMS.en.path, de: FILMS.de.path } };
}

function readVersion(root: string): string | undefined {
  const file = join(root, "package.json");
  if (!existsSync(file)) return undefined;
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return version;
}

function addAssets(files: SiteFiles, pages: readonly DocsPage[]): Assets {
  const search = files.addAsset("search.js", DOCS_SEARCH);
  const index = (language: Language) => {
    const text = JSON.stringify(buildSearchIndex(pages, language));
    return files.addAsset(`index-${language}.js`, `trellisDocs.indexes.push(${text});`);
  };
  const [english, german] = [index("en"), index("de")];
  return {
    style: files.addAsset("style.css", addThemes(DOCS_STYLE)),
    theme: files.addAsset("theme.js", DOCS_THEME),
    script: files.addAsset("script.js", DOCS_SCRIPT),
    icon: files.addAsset("icon.svg", ICON),
    // Most pages are English, for readers of German too.
    search: { en: [search, english], de: [search, german, english] },
  };
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2c8a63" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M12 2 22 12 12 22 2 12ZM7 7 17 17M17 7 7 17"/></svg>';

const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;
