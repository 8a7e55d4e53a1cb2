/** Where each language's page and feed stand in the site. */
import { LANGUAGES, type Language } from "../language.ts";

/** A static host cannot ask for a language, so the first one is also the front page. */
const FOLDERS: Readonly<Record<Language, string>> = { en: "", de: "de/" };

export const FEED_NAME = "feed.atom";
export const ICON_NAME = "icon.svg";
export const DEFAULT_LANGUAGE = LANGUAGES[0];

export function pageFolder(language: Language): string {
  return FOLDERS[language];
}

/** From the page of a language to the top of the site: links work wherever the site is put. */
export function pathToTop(language: Language): string {
  return "../".repeat(FOLDERS[language].split("/").length - 1) || "./";
}
