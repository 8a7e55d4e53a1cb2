/**
 * Some calendars write `COUNT=-1`, `COUNT=0` or another value that is no number of times, and mean that the
 * rule has none: UNTIL ends the series, or nothing. Dates too many do less harm than dates that are missing.
 */
export function repairCount(rule: string): { readonly rule: string; readonly isRepaired: boolean } {
  const parts = rule.split(";");
  const kept = parts.filter(
    (part) => !/^COUNT=/i.test(part) || /^COUNT=\+?0*[1-9]\d*$/i.test(part),
  );
  return { rule: kept.join(";"), isRepaired: kept.length < parts.length };
}
