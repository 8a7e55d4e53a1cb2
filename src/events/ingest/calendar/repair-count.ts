/** Some calendars write `COUNT=-1` beside `UNTIL`, and mean that UNTIL ends the series. */
export function repairCount(rule: string): { readonly rule: string; readonly isRepaired: boolean } {
  const parts = rule.split(";");
  const isInvalid = (part: string) => /^COUNT=/i.test(part) && !/^COUNT=0*[1-9]\d*$/i.test(part);
  const isEnded = parts.some((part) => /^UNTIL=/i.test(part));
  if (!isEnded || !parts.some(isInvalid)) return { rule, isRepaired: false };
  return { rule: parts.filter((part) => !isInvalid(part)).join(";"), isRepaired: true };
}
