/** Responses of the events route, and what an app imports of them. */
import {
  eventsToHabits,
  type ImportSkipReason,
  type LocalHabit,
} from "../../src/rules/events/client/import-events.ts";
import {
  readEventList,
  type UnreadableEntry,
} from "../../src/rules/events/client/read-event-list.ts";
import type { VectorSource } from "./vector-file.ts";

interface ImportInput {
  readonly response: unknown;
  /** The habits that the app has, archived ones too. */
  readonly habits: readonly LocalHabit[];
  readonly serviceName: string;
  readonly utcOffsetMinutes: number;
}

export function createImportVectors(): VectorSource<ImportInput> {
  return {
    name: "events-import",
    description:
      "What an app imports of a response of GET /api/events: docs/protocol/events.md, Importing events. `input` is the parsed body, the habits that the app has, the name of the service, and the device's offset from UTC. `expected` lists what is imported, what is skipped and why, what was deleted, and entries that cannot be read; or it says that the body is no list of events.",
    inputs: IMPORT_INPUTS,
    expect: importAll,
    codes: Object.keys(CODES),
  };
}

const CODES = {
  events: true,
  "not-a-list": true,
  info: true,
  "missing-date": true,
  "date-without-day": true,
  "expanded-year": true,
  "mixed-forms": true,
  "invalid-date": true,
  "already-imported": true,
  repeated: true,
  "not-an-object": true,
  "missing-id": true,
  "missing-type": true,
} satisfies Record<"events" | "not-a-list" | ImportSkipReason | UnreadableEntry["reason"], true>;

function importAll({ response, habits, serviceName, utcOffsetMinutes }: ImportInput): object {
  const page = readEventList(response);
  if (page === null) return { kind: "not-a-list" };
  const { entries } = page;
  const events = entries.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
  const toLocalDate = (instant: number) =>
    new Date(instant + utcOffsetMinutes * 60_000).toISOString().slice(0, 10);
  return {
    kind: "events",
    ...eventsToHabits(events, habits, { serviceName, toLocalDate }),
    deletedIds: entries.flatMap((entry) => (entry.kind === "deleted" ? [entry.id] : [])),
    unreadable: entries.flatMap((entry) => (entry.kind === "unreadable" ? [entry.entry] : [])),
  };
}

function event(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: "e-1",
    type: "homework",
    subject_name: "Mathematics",
    title: "Page 42",
    date: "2026-08-21",
    created_at: "2026-08-20T09:30:00Z",
    ...changes,
  };
}

function respond(response: unknown, changes: Partial<ImportInput> = {}): ImportInput {
  return { response, habits: [], serviceName: "My planner", utcOffsetMinutes: 120, ...changes };
}

/** One event for each of these changes, with ids of their own. */
function each(changes: readonly Readonly<Record<string, unknown>>[]): ImportInput {
  return respond({ events: changes.map((one, index) => event({ id: `e-${index + 1}`, ...one })) });
}

const dates = (...texts: readonly unknown[]) => each(texts.map((date) => ({ date })));
const types = (...texts: readonly string[]) => each(texts.map((type) => ({ type })));

const IMPORT_INPUTS: Record<string, ImportInput> = {
  "an event": respond({ events: [event()] }),
  "members of a later version": respond({ events: [event({ room: 7 })], hint: 1 }),
  "no list means none": respond({}),
  "null means none": respond({ events: null }),
  "a list that is an object": respond({ events: {} }),
  "a body that is a list": respond([event()]),
  "a body that is null": respond(null),
  "entries that cannot be read": respond({
    events: [
      7,
      [],
      event({ id: undefined }),
      event({ id: "" }),
      event({ id: 7 }),
      event({ type: null }),
    ],
  }),
  "members of a wrong type count as null": respond({
    events: [event({ title: 7, subject_name: [] })],
  }),
  "a deletion of a service that announces them": respond({
    events: [
      { id: "e-1", type: "info", deleted: true },
      event({ id: "e-2", deleted: false }),
      { id: "e-3", deleted: true },
    ],
    extras: ["deletions"],
  }),
  "a member deleted that was not announced": respond({
    events: [event({ deleted: true })],
    extras: ["pages", "later"],
  }),
  "extras that are no list": respond({ events: [event({ deleted: true })], extras: "deletions" }),
  "type info in any case of letters": types("info", "INFO", "Info", "information"),
  "no date": dates(null, "", undefined, 7),
  days: dates("2026-08-21", "2024-02-29", "0001-01-01"),
  "days that no calendar has": dates(
    "2026-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
  ),
  "local times are on the day as written": dates(
    "2026-08-21T23:30",
    "2026-08-21T23:30:00",
    "2026-08-21t00:15:30.123456789",
  ),
  "moments are on the day of the device": dates(
    "2026-08-21T23:30:00Z",
    "2026-08-21T00:30+02:00",
    "2026-08-21T00:30:00+14:00",
    "2026-08-20T22:00:00z",
    "2026-08-21T23:30:00+0200",
    "20260821T2330-05",
    "2026-W34-5T23:30Z",
  ),
  "other forms of a day": dates(
    "20260821",
    "2026-W34-5",
    "2026-233",
    "2026-08-21T24:00",
    "20260821T10,5",
  ),
  "moments on a day without four digits for its year": dates(
    "9999-12-31T23:30Z",
    "9999-12-31T24:00Z",
    "9999-12-31T24:00",
  ),
  "a device in the west": {
    ...dates("2026-08-21T04:59:59Z", "2026-08-21T05:00:00Z"),
    utcOffsetMinutes: -300,
  },
  "texts that name no day": dates("2026-08", "2026-W34", "--08-21", "T10:15"),
  "years with a sign": dates("+002026-08-21", "-002026-08-21"),
  "mixed forms": dates("2026-0821", "2026-08-21T1015", "20260821T10:15", "20260821T1015+02:00"),
  "texts that are no date": dates(
    "soon",
    " 2026-08-21",
    "2026-08-21 ",
    "2026-8-21",
    "2026-08-21T",
    "2026-08-21 10:15:00",
    "2026-08-21T24:00:01",
    "2026-08-21T10:60",
    "2026-08-21T10:15:00+25:00",
  ),
  names: each([
    { title: "  Page 42\n" },
    { title: null },
    { title: " \u00a0" },
    { subject_name: null },
    { subject_name: " " },
    { title: null, subject_name: null },
  ]),
  icons: types(
    "homework",
    "Hausaufgabe",
    "HA",
    "exam",
    "test",
    "Klausur",
    "klassenarbeit",
    "KA",
    "presentation",
    "Pr\u00e4sentation",
    "pra\u0308sentation",
    "referat",
    "essay",
    "",
  ),
  "an event that was imported before": respond(
    { events: [event(), event({ id: "e-2" })] },
    { habits: [{}, { source: null }, { source: { eventId: "e-1" } }] },
  ),
  "an event twice": respond({
    events: [event({ date: null }), event({ title: "first" }), event({ title: "second" })],
  }),
};
