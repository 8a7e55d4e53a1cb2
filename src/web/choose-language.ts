/** The page's language from Accept-Language (RFC 9110 12.5.4): the better liked of ours. */
import { LANGUAGES, type Language } from "./language.ts";

export function chooseLanguage(acceptLanguage: string | null): Language {
  let best: Language = LANGUAGES[0];
  let bestWeight = 0;
  for (const part of (acceptLanguage ?? "").split(",")) {
    const [range = "", ...parameters] = part.trim().split(";");
    const primary = range.trim().toLowerCase().split("-")[0];
    const language = LANGUAGES.find((candidate) => candidate === primary);
    const weight = readWeight(parameters);
    // The first of equals is the one that was named first.
    if (language === undefined || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

function readWeight(parameters: readonly string[]): number {
  const given = parameters.map((text) => /^\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(text)?.[1]);
  const weight = given.find((text) => text !== undefined);
  return weight === undefined ? 1 : Math.min(1, Number(weight));
}
