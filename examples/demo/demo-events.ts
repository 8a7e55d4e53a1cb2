/** Sample data of the events service: an account, an imported school calendar, manual events. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { Language } from "../../src/contract/language.ts";
import { SCOPE } from "../../src/contract/events/values.ts";
import { createAdministration } from "../../src/events/maintenance/administration.ts";
import { importFile } from "../../src/events/import/import-file.ts";
import type { EventContent, EventsStore } from "../../src/events/store.ts";
import type { EventsConfiguration } from "../../src/configuration/configuration-schema.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { DEMO_ACCOUNT, DEMO_CODE_CHALLENGE, DEMO_STATE } from "./demo-settings.ts";

/** `lessons` has nothing yet that an app would import. */
export type DemoCalendar = "school" | "lessons";

export interface DemoEvents {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly authorizeUrl: string;
  /** The imported calendar, for the person to change and import again. */
  readonly calendarPath: string;
  readonly events: number;
}

export async function prepareDemoEvents(
  configuration: EventsConfiguration,
  dataDir: string,
  folder: string,
  sample: DemoCalendar,
  language: Language,
): Promise<DemoEvents> {
  const { baseUrl, timeZone } = configuration;
  const now = Date.now();
  const calendarPath = join(folder, CALENDAR_FILE);
  const calendar = createCalendar(now, sample === "school" ? ENTRIES : [], LESSON[language]);
  await writeFile(calendarPath, calendar);
  const store = await openServiceStore(EVENTS_STORE, configuration, dataDir);
  try {
    const { instanceKey } = store;
    const { createAccount } = createAdministration({ store, instanceKey, timeZone });
    const created = await createAccount(DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
    if (created.kind !== "done") throw new Error("The demo's account was rejected");
    const { accountId } = created.account;
    const imported = await importFile({
      store,
      accountId,
      bytes: Buffer.from(calendar),
      fileName: CALENDAR_FILE,
      defaultTimeZone: timeZone,
    });
    if (imported.kind === "failed") throw new Error("The demo's calendar was rejected");
    const manual = sample === "school" ? await addManualEvents(store, accountId, now) : 0;
    return {
      baseUrl,
      accountId,
      authorizeUrl: createAuthorizeUrl(configuration),
      calendarPath,
      events: imported.summary.added + manual,
    };
  } finally {
    await store.close();
  }
}

function addManualEvents(store: EventsStore, accountId: string, now: number): Promise<number> {
  return store.transaction(async ({ sources, events }) => {
    const { sourceId } = await sources.findOrAdd({
      sourceId: "demo-manual",
      accountId,
      kind: "manual",
      name: "manual",
      createdAt: now,
    });
    const changes = createManualEvents(now).map((content, index) => ({
      kind: "put" as const,
      eventId: `demo-note-${index + 1}`,
      content,
      createdAt: new Date(now).toISOString(),
    }));
    await events.write(accountId, sourceId, changes, now);
    return changes.length;
  });
}

/** The authorization request that an app would send. */
function createAuthorizeUrl({ baseUrl, clients }: EventsConfiguration): string {
  const [client] = clients;
  const query = new URLSearchParams({
    client_id: client?.id ?? "",
    redirect_uri: client?.redirectUris[0] ?? "",
    response_type: "code",
    scope: SCOPE,
    state: DEMO_STATE,
    code_challenge: DEMO_CODE_CHALLENGE,
    code_challenge_method: "S256",
  });
  return `${baseUrl}/api/oauth/authorize?${query.toString()}`;
}

const CALENDAR_FILE = "class-7b.ics";

export interface CalendarEntry {
  readonly uid: string;
  readonly inDays: number;
  readonly summary: string;
  readonly category: string | null;
}

const ENTRIES: readonly CalendarEntry[] = [
  { uid: "math-exam", inDays: 6, summary: "Klausur Mathematik", category: "Mathematik" },
  { uid: "history-talk", inDays: 3, summary: "Presentation: the Hanse", category: "History" },
  { uid: "english-homework", inDays: 1, summary: "Homework: essay, page 42", category: "English" },
  { uid: "biology-test", inDays: 10, summary: "Test on photosynthesis", category: "Biology" },
  { uid: "museum", inDays: 13, summary: "Bring money for the museum", category: null },
];

const LESSON: Readonly<Record<Language, string>> = {
  en: "Lesson: sports",
  de: "Unterricht: Sport",
};

/** An iCalendar file (RFC 5545) of all-day entries and one series of lessons. */
function createCalendar(now: number, entries: readonly CalendarEntry[], lesson: string): string {
  const stamp = toBasic(new Date(now).toISOString());
  const events = entries.map((entry) => formatEntry(entry, now));
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Trellis//Demo//EN",
    ...events,
    "BEGIN:VEVENT",
    "UID:sports@class-7b.example",
    `DTSTAMP:${stamp}`,
    `DTSTART:${toBasic(dayAfter(now, 2))}T090000Z`,
    "RRULE:FREQ=WEEKLY;COUNT=10",
    `SUMMARY:${lesson}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

export function formatEntry(
  { uid, inDays, summary, category }: CalendarEntry,
  now: number,
): string {
  return [
    "BEGIN:VEVENT",
    `UID:${uid}@class-7b.example`,
    `DTSTAMP:${toBasic(new Date(now).toISOString())}`,
    `DTSTART;VALUE=DATE:${toBasic(dayAfter(now, inDays))}`,
    `SUMMARY:${summary.replaceAll(",", "\\,")}`,
    ...(category === null ? [] : [`CATEGORIES:${category}`]),
    "END:VEVENT",
  ].join("\r\n");
}

function createManualEvents(now: number): readonly EventContent[] {
  const event = (inDays: number, type: string, title: string): EventContent => {
    const date = dayAfter(now, inDays);
    return { type, title, subjectName: null, date, dateAt: Date.parse(date) };
  };
  return [
    event(2, "task", "Return the library book"),
    event(5, "presentation", "Practise the talk aloud"),
    event(-2, "task", "Buy index cards"),
  ];
}

function dayAfter(now: number, days: number): string {
  return new Date(now + days * DAY_MS).toISOString().slice(0, 10);
}

/** The basic format of RFC 5545: `20260131`, `20260131T101500Z`. */
function toBasic(text: string): string {
  return text.replaceAll(/[-:]|\.\d+/g, "");
}
