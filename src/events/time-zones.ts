/** The zones a person can choose from. */
const UTC = "UTC";

let names: readonly string[] | undefined;

/** By name, with UTC first. */
export function listTimeZones(): readonly string[] {
  names ??= [UTC, ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC)];
  return names;
}

/** The IANA name as it is written, or null when there is no such zone. */
export function parseTimeZone(text: string): string | null {
  // Offsets are zones to Intl, but nobody's clocks: they know no summer.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
