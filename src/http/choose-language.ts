import { readAcceptedValues } from "./accepted-values.ts";

/** Picks a language by Accept-Language (RFC 9110 12.5.4); the first of `languages` is the default. */
export function chooseLanguage<L extends string>(
  acceptLanguage: string | null,
  languages: readonly [L, ...L[]],
): L {
  let [best] = languages;
  let bestWeight = 0;
  for (const [range, weight] of readAcceptedValues(acceptLanguage)) {
    const primary = range.split("-")[0];
    const language = languages.find((candidate) => candidate === primary);
    if (language === undefined || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}
