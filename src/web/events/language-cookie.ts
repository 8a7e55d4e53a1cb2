/** The language of the switch, for the pages that follow until the browser is closed. */
import { LANGUAGE_COOKIE } from "../../contract/events/values.ts";
import { LANGUAGES } from "../../contract/language.ts";

export function setLanguageCookie(): void {
  const asked = new URLSearchParams(location.search).get("lang");
  const language = LANGUAGES.find((candidate) => candidate === asked);
  if (language !== undefined) writeCookie(language, "");
}

/** The language of the settings replaces that of the switch. */
export function deleteLanguageCookie(): void {
  writeCookie("", "; Max-Age=0");
}

function writeCookie(value: string, lifetime: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${LANGUAGE_COOKIE}=${value}; Path=/; SameSite=Lax${secure}${lifetime}`;
}
