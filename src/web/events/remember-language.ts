/** The language that was chosen with the switch, for the pages that follow until the browser ends. */
import { LANGUAGE_COOKIE } from "../../contract/events/values.ts";
import { LANGUAGES } from "../language.ts";

export function rememberLanguage(): void {
  const asked = new URLSearchParams(location.search).get("lang");
  const language = LANGUAGES.find((candidate) => candidate === asked);
  if (language !== undefined) writeCookie(language, "");
}

/** Whoever chooses for good in the settings wants no choice of before. */
export function forgetLanguage(): void {
  writeCookie("", "; Max-Age=0");
}

function writeCookie(value: string, lifetime: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${LANGUAGE_COOKIE}=${value}; Path=/; SameSite=Lax${secure}${lifetime}`;
}
