/** Picks a language by Accept-Language (RFC 9110 12.5.4); the first of `languages` is the default. */
export function chooseLanguage<L extends string>(
  acceptLanguage: string | null,
  languages: readonly [L, ...L[]],
): L {
  let [best] = languages;
  let bestWeight = 0;
  for (const part of (acceptLanguage ?? "").split(",")) {
    const [range = "", ...parameters] = part.trim().split(";");
    const primary = range.trim().toLowerCase().split("-")[0];
    const language = languages.find((candidate) => candidate === primary);
    const weight = readWeight(parameters);
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
