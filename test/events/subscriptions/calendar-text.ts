export interface CalendarEntry {
  readonly uid: string;
  /** `YYYYMMDD`, or with `T` and a time in UTC. */
  readonly start?: string;
  readonly summary?: string;
  readonly categories?: string;
  /** Further lines. */
  readonly lines?: readonly string[];
}

export function writeCalendar(entries: readonly CalendarEntry[]): string {
  const lines = entries.flatMap(({ uid, start = "20261001", summary, categories, lines = [] }) => [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    start.includes("T") ? `DTSTART:${start}Z` : `DTSTART;VALUE=DATE:${start}`,
    `SUMMARY:${summary ?? `Entry ${uid}`}`,
    ...(categories === undefined ? [] : [`CATEGORIES:${categories}`]),
    ...lines,
    "END:VEVENT",
  ]);
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"];
  return [...head, ...lines, "END:VCALENDAR", ""].join("\r\n");
}

export function listEntries(count: number): CalendarEntry[] {
  return Array.from({ length: count }, (_, index) => ({ uid: `entry-${index}@example` }));
}
