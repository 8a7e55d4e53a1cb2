/** The paths of the download site. */
import { LANGUAGES, type Language } from "../../contract/language.ts";

// A static host cannot choose by Accept-Language, so the default language is at the top.
const FOLDERS: Readonly<Record<Language, string>> = { en: "", de: "de/" };

export const FEED_NAME = "feed.atom";
export const ICON_NAME = "icon.svg";
export const DEFAULT_LANGUAGE = LANGUAGES[0];

export function pageFolder(language: Language): string {
  return FOLDERS[language];
}

/** Relative, so that links work in any folder of a host. */
export function pathToTop(language: Language): string {
  return "../".repeat(FOLDERS[language].split("/").length - 1) || "./";
}
