/** The text of a recurrence rule: mended where calendars write it wrong, and how costly it is to expand. */

export interface RuleDensity {
  /** An upper bound. */
  readonly perDay: number;
  /**
   * The library counts COUNT and BYSETPOS through every listed time from the start on, and spends seconds on
   * one week of very many. It needs a bound there; elsewhere a bound would keep it from its fast ways.
   */
  readonly isCostly: boolean;
}

/** A rule may list every minute of a day. */
const MAX_LISTED_TIMES = 1_440;

/** `rule` is in upper case. */
export function readDensity(rule: string): RuleDensity {
  const parts = new Map(
    rule.split(";").map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [name, value];
    }),
  );
  const choices = (name: string) => new Set(parts.get(name)?.split(",") ?? [""]).size;
  const listedTimes = choices("BYHOUR") * choices("BYMINUTE") * choices("BYSECOND");
  const interval = Math.max(1, Number(parts.get("INTERVAL") ?? 1) || 1);
  const each = (unitsPerDay: number) => Math.max(1, unitsPerDay / interval);
  const isCounted = parts.has("COUNT") || parts.has("BYSETPOS");
  const isCostly = listedTimes > (isCounted ? 1 : MAX_LISTED_TIMES);
  return { perDay: countPerDay(), isCostly };

  function countPerDay(): number {
    switch (parts.get("FREQ")) {
      case "SECONDLY":
        return each(86_400);
      case "MINUTELY":
        return each(1_440) * choices("BYSECOND");
      case "HOURLY":
        return each(24) * choices("BYMINUTE") * choices("BYSECOND");
      default:
        return listedTimes;
    }
  }
}

/** Some calendars write `COUNT=-1` or `COUNT=0` for none; extra dates do less harm than missing ones. */
export function repairCount(rule: string): { readonly rule: string; readonly isRepaired: boolean } {
  const parts = rule.split(";");
  const kept = parts.filter(
    (part) => !/^COUNT=/i.test(part) || /^COUNT=\+?0*[1-9]\d*$/i.test(part),
  );
  return { rule: kept.join(";"), isRepaired: kept.length < parts.length };
}
