import { LANGUAGES, type Language } from "../../contract/language.ts";

// The default language is at the top, for hosts that cannot choose by Accept-Language.
const FOLDERS: Readonly<Record<Language, string>> = { en: "", de: "de/" };

export const FEED_NAME = "feed.atom";
export const ICON_NAME = "icon.svg";
export const DEFAULT_LANGUAGE = LANGUAGES[0];
/** A query with this parameter says that the visitor has chosen the language and is not led to another. */
export const LANGUAGE_PARAMETER = "lang";
const PICTURE_FOLDER = "images/";

export function pageFolder(language: Language): string {
  return FOLDERS[language];
}

/** The page in this language, whatever language the visitor prefers. */
export function chosenPage(language: Language): string {
  const query = language === DEFAULT_LANGUAGE ? `?${LANGUAGE_PARAMETER}=${language}` : "";
  return `${pageFolder(language)}${query}`;
}

/** The path from the top of the site. */
export function picturePath(name: string): string {
  return `${PICTURE_FOLDER}${name}`;
}

/** The path is relative, so that links work in any folder of a host. */
export function pathToTop(language: Language): string {
  return "../".repeat(FOLDERS[language].split("/").length - 1) || "./";
}
