/** What becomes of the events in a list: import rules 1 to 6 of the contract. */
import { driverCases } from "../../../drivers/check-driver.ts";
import { expectEach } from "../../../expect.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import {
  connect,
  createEvent,
  expectImported,
  expectImportedIds,
  LAST_EVENT,
  listing,
  SERVICE_NAME,
  type EventsSync,
  type Habit,
} from "../connected-app.ts";

const RULES = "events contract, Import rules";
const DECISION = "Trellis decision, events service: client";

export const IMPORT_CASES = driverCases({
  "actionable-events-become-habits": {
    title: "Every actionable event with a date becomes a habit",
    section: `${RULES} 4 and 5`,
    async run(client) {
      const full = createEvent({
        id: "full",
        type: "exam",
        title: "Fractions",
        subject_name: "Mathematics",
        created_at: "2026-08-20T09:30:00Z",
      });
      const sync = await syncList(client, "two events", [full, LAST_EVENT]);
      expectImportedIds(sync, ["full", "last"]);
      expectImported(sync, "full", { name: "Fractions", icon: "exam", category: "Mathematics" });
    },
  },
  "info-events-are-not-imported": {
    title: "Events whose type is info, in any case of letters, are not imported",
    section: `${RULES} 1`,
    async run(client) {
      const types = ["info", "INFO", "Info", "iNfO"];
      const infos = types.map((type) => createEvent({ id: `of ${type}`, type }));
      const sync = await syncList(client, "events of the type info", [...infos, LAST_EVENT]);
      expectImportedIds(sync, ["last"]);
    },
  },
  "types-that-resemble-info-are-imported": {
    title: "An event whose type only contains info is imported",
    section: `${RULES} 1`,
    async run(client) {
      const event = createEvent({ type: "information evening" });
      const sync = await syncList(client, "an event of the type information evening", [event]);
      expectImportedIds(sync, ["event-1"]);
    },
  },
  "events-without-a-date-are-not-imported": {
    title: "Events whose date is null, absent or no text are not imported",
    section: `${RULES} 2`,
    async run(client) {
      const dates = [null, undefined, "", 20_260_901, true, ["2026-09-01"], {}];
      const events = dates.map((date, index) => createEvent({ id: `undated-${index}`, date }));
      const sync = await syncList(client, "events without a date", [...events, LAST_EVENT]);
      expectImportedIds(sync, ["last"]);
    },
  },
  "creation-is-no-date": {
    title: "The time of creation does not take the place of a missing date",
    section: `${RULES} 2`,
    async run(client) {
      const event = createEvent({ date: null, created_at: "2026-08-20T09:30:00Z" });
      const asked = "an event with created_at and without a date";
      expectImportedIds(await syncList(client, asked, [event, LAST_EVENT]), ["last"]);
    },
  },
  "events-with-an-invalid-date-are-not-imported": {
    title: "Events whose date no calendar has are not imported",
    section: `${RULES} 2`,
    async run(client) {
      const dates = [
        "2026-02-30",
        "2025-02-29",
        "2026-13-01",
        "2026-09-00",
        "2026-09-01T25:00:00Z",
        "2026-09-01T12:60:00Z",
        "soon",
        "01.09.2026",
        "1 September 2026",
      ];
      const events = dates.map((date) => createEvent({ id: date, date }));
      const sync = await syncList(client, "events with invalid dates", [...events, LAST_EVENT]);
      expectImportedIds(sync, ["last"]);
    },
  },
  "imported-events-are-not-imported-again": {
    title: "An event whose id a habit has is not imported again, whatever else changed",
    section: `${RULES} 3`,
    run: (client) => expectKnown(client, false),
  },
  "archived-habits-count": {
    title: "An event whose id an archived habit has is not imported again",
    section: `${RULES} 3`,
    run: (client) => expectKnown(client, true),
  },
  "ids-alone-tell-events-apart": {
    title: "An event is imported although a habit has its name, or an id like it",
    section: `${RULES} 3`,
    async run(client) {
      const ids = ["A-1", "a-1", "a-1 ", "a-10"];
      const habits = [createHabit("a-1", false), { ...createHabit("", false), source: null }];
      const events = ids.map((id) => createEvent({ id, title: habits[0]?.name }));
      const app = connect(client, { habits });
      const sync = await app.sync("a sync of events with ids that resemble one", listing(events));
      expectImportedIds(sync, ["A-1", "a-1 ", "a-10"]);
    },
  },
  "repeated-events-are-imported-once": {
    title: "An id that a list has twice is imported once",
    section: "events contract, Event: id",
    async run(client) {
      const sync = await syncList(client, "the same event twice", [
        LAST_EVENT,
        createEvent(),
        LAST_EVENT,
      ]);
      expectImportedIds(sync, ["event-1", "last"]);
    },
  },
  "next-sync-imports-nothing-twice": {
    title: "A list that comes again imports only what is new in it",
    section: `${RULES} 3`,
    async run(client) {
      const app = connect(client);
      const first = [createEvent()];
      expectImportedIds(await app.sync("a first sync", listing(first)), ["event-1"]);
      const asked = "a second sync, of the same event and another one";
      expectImportedIds(await app.sync(asked, listing([...first, LAST_EVENT])), ["last"]);
    },
  },
  "names-fall-back": {
    title: "A habit is named after title, else subject_name, else the service and Task",
    section: `${RULES} 4`,
    async run(client) {
      const events = [
        createEvent({ id: "both", title: "Essay", subject_name: "English" }),
        createEvent({ id: "subject", title: null, subject_name: "English" }),
        createEvent({ id: "absent", title: undefined, subject_name: "English" }),
        createEvent({ id: "neither", title: null, subject_name: null }),
      ];
      const sync = await syncList(client, "events with and without names", events);
      const names = { both: "Essay", subject: "English", absent: "English", neither: TASK_NAME };
      await expectEach(Object.entries(names), ([id, name]) => expectImported(sync, id, { name }));
    },
  },
  "blank-names-fall-back": {
    title: "A name of nothing but spaces counts as none",
    section: DECISION,
    async run(client) {
      const events = [
        createEvent({ id: "title", title: " \t ", subject_name: "English" }),
        createEvent({ id: "both", title: "", subject_name: " " }),
      ];
      const sync = await syncList(client, "events with blank names", events);
      const names = { title: "English", both: TASK_NAME };
      await expectEach(Object.entries(names), ([id, name]) => expectImported(sync, id, { name }));
    },
  },
  "category-is-the-subject": {
    title: "A habit's category is subject_name, else the name of the service",
    section: "events contract, Event: subject_name",
    async run(client) {
      const events = [createEvent({ id: "with", subject_name: "English" }), LAST_EVENT];
      const sync = await syncList(client, "an event with a subject and one without", events);
      expectImported(sync, "with", { category: "English" });
      expectImported(sync, "last", { category: SERVICE_NAME });
    },
  },
  "icons-follow-the-type": {
    title:
      "Homework, exams, tests and presentations have icons of their own, other types the task's",
    section: `${RULES} 5`,
    run: (client) =>
      expectIcons(client, {
        homework: "homework",
        exam: "exam",
        test: "exam",
        presentation: "presentation",
        task: "task",
        excursion: "task",
        "": "task",
        contest: "task",
      }),
  },
  "german-types-have-icons": {
    title: "Types have their icons in German too, and in any case of letters",
    section: `${DECISION}, icons by type`,
    run: (client) =>
      expectIcons(client, {
        Hausaufgabe: "homework",
        HA: "homework",
        Klausur: "exam",
        Klassenarbeit: "exam",
        ka: "exam",
        Präsentation: "presentation",
        "Pra\u0308sentation": "presentation",
        REFERAT: "presentation",
        Exam: "exam",
      }),
  },
  "source-is-retained": {
    title: "A habit keeps the id of its event and the day on which it occurs",
    section: `${RULES} 6`,
    async run(client) {
      const days = {
        "2026-09-01": "2026-09-01",
        "2028-02-29": "2028-02-29",
        "2026-09-01T23:30:00": "2026-09-01",
        "2026-09-01T00:00:00.000": "2026-09-01",
      };
      const events = Object.keys(days).map((date) => createEvent({ id: `on ${date}`, date }));
      const sync = await syncList(client, "events on days", events);
      await expectEach(Object.entries(days), ([date, occursOn]) =>
        expectImported(sync, `on ${date}`, { occursOn }),
      );
    },
  },
  "dates-have-every-form-of-iso-8601": {
    title: "A day or a moment in any form of ISO 8601 is a date",
    section: "events contract, Event: date is ISO 8601",
    async run(client) {
      const days = {
        "20260901": "2026-09-01",
        "2026-W36-2": "2026-09-01",
        "2026W362": "2026-09-01",
        "2026-244": "2026-09-01",
        "2026244T10": "2026-09-01",
        "20260901T101530,5": "2026-09-01",
        "2026-09-01t10:15.5": "2026-09-01",
        "2026-08-31T24:00": "2026-09-01",
      };
      const moments = {
        "2026-09-01T12:00:00+0200": "2026-09-01T10:00:00Z",
        "2026-09-01T12:00-05": "2026-09-01T17:00:00Z",
        "20260901T2215Z": "2026-09-01T22:15:00Z",
        "2026-W36-2T10,5z": "2026-09-01T10:30:00Z",
        "2026-08-31T24:00+00": "2026-09-01T00:00:00Z",
      };
      const expected = [
        ...Object.entries(days),
        ...Object.entries(moments).map(([date, utc]) => [date, dayOf(utc, client)] as const),
      ];
      const events = expected.map(([date]) => createEvent({ id: date, date }));
      const sync = await syncList(client, "events with dates of all forms", events);
      await expectEach(expected, ([date, occursOn]) => expectImported(sync, date, { occursOn }));
    },
  },
  "dates-of-mixed-forms-are-not-imported": {
    title:
      "Events whose date mixes the forms of ISO 8601, or has a sign before the year, are not imported",
    section: `${DECISION}, date`,
    async run(client) {
      const dates = ["2026-0901", "20260901T10:15", "+002026-09-01", "2026-W36", "--09-01"];
      const events = dates.map((date) => createEvent({ id: date, date }));
      const sync = await syncList(client, "events with mixed forms", [...events, LAST_EVENT]);
      expectImportedIds(sync, ["last"]);
    },
  },
  "moments-fall-on-the-day-of-the-device": {
    title: "A date with an offset is the day that the device has at that moment",
    section: `${DECISION}, occursOn`,
    async run(client) {
      // In every time zone one of the first two is on another day than the one that is written.
      const dates = [
        "2026-09-01T00:30:00+14:00",
        "2026-09-01T23:30:00-12:00",
        "2026-09-01T22:15:00Z",
        "2026-09-01T12:00:00.500+02:00",
      ];
      const events = dates.map((date) => createEvent({ id: date, date }));
      const sync = await syncList(client, "events with offsets", events);
      await expectEach(dates, (date) =>
        expectImported(sync, date, { occursOn: dayOf(date, client) }),
      );
    },
  },
  "every-form-of-iso-8601-is-read": {
    title: "A date may have every form of ISO 8601 that names a day or a moment",
    section: "events contract, Event: date is an ISO 8601 string",
    async run(client) {
      const events = [...DAYS, ...Object.keys(MOMENTS)].map((date) =>
        createEvent({ id: date, date }),
      );
      const sync = await syncList(client, "events with dates of many forms", events);
      await expectEach(DAYS, (date) => expectImported(sync, date, { occursOn: "2026-09-01" }));
      await expectEach(Object.entries(MOMENTS), ([date, moment]) =>
        expectImported(sync, date, { occursOn: dayOf(moment, client) }),
      );
    },
  },
  "other-forms-of-dates-are-refused": {
    title: "A date that names no day, has an expanded year or mixes forms is not imported",
    section: "Trellis decision, events client: dates",
    async run(client) {
      const dates = ["2026-09", "--09-01", "+002026-09-01", "2026-0901", "2026-W54-1", "2026-366"];
      const events = dates.map((date) => createEvent({ id: date, date }));
      const asked = "events with dates of other forms";
      expectImportedIds(await syncList(client, asked, [...events, LAST_EVENT]), ["last"]);
    },
  },
  "entries-that-are-no-events-are-skipped": {
    title: "Entries that are no events are skipped, and those after them are imported",
    section: "events contract, Event: id and type are required",
    async run(client) {
      const entries = [
        null,
        "event",
        7,
        [],
        {},
        [createEvent({ id: "in a list" })],
        createEvent({ id: undefined }),
        createEvent({ id: null }),
        createEvent({ id: "" }),
        createEvent({ id: 12 }),
        createEvent({ id: "no type", type: undefined }),
        createEvent({ id: "odd type", type: 3 }),
      ];
      const asked = "a list with entries that are no events";
      expectImportedIds(await syncList(client, asked, [...entries, LAST_EVENT]), ["last"]);
    },
  },
  "members-of-a-wrong-type-count-as-null": {
    title: "An event is imported although its names and its creation are no text",
    section: DECISION,
    async run(client) {
      const wrong = { title: 7, subject_name: { de: "Englisch" }, created_at: 0 };
      const sync = await syncList(client, "an event with odd members", [createEvent(wrong)]);
      expectImported(sync, "event-1", { name: TASK_NAME, category: SERVICE_NAME });
    },
  },
  "names-of-language-members-are-ids": {
    title: "An id may be a word that has a meaning in a programming language",
    section: "events contract, Event: id",
    async run(client) {
      const ids = ["__proto__", "constructor", "toString", "null", "0", "ʼ; --", "日本"];
      const sync = await syncList(
        client,
        "events with unusual ids",
        ids.map((id) => createEvent({ id })),
      );
      expectImportedIds(sync, ids);
    },
  },
});

/** The first of September in many forms. */
const DAYS = [
  "20260901",
  "2026-W36-2",
  "2026W362",
  "2026-244",
  "2026244",
  "20260901T083000",
  "2026-09-01t08:30",
  "2026-09-01T08:30:00,5",
  "2026-09-01T08.5",
  "2026-08-31T24:00",
];
/** The moments that other forms name. */
const MOMENTS = {
  "2026-09-01T22:30:00+0200": "2026-09-01T20:30:00Z",
  "2026-09-01T22:30:00+02": "2026-09-01T20:30:00Z",
  "20260901T223000-0330": "2026-09-02T02:00:00Z",
  "2026-W36-2T08:30z": "2026-09-01T08:30:00Z",
  "2026-09-01T08:30.5Z": "2026-09-01T08:30:30Z",
  "2026-08-31T24:00:00Z": "2026-09-01T00:00:00Z",
};

const TASK_NAME = `${SERVICE_NAME} Task`;

function syncList(
  client: ClientUnderTest,
  what: string,
  entries: readonly unknown[],
): Promise<EventsSync> {
  return connect(client).sync(`a sync of ${what}`, listing(entries));
}

/** The day that the client's device has at this moment; Swedes write it as `YYYY-MM-DD`. */
function dayOf(moment: string, { timeZone }: ClientUnderTest): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(Date.parse(moment));
}

function createHabit(eventId: string, archived: boolean): Habit {
  return { name: "Read", archived, source: { eventId, occursOn: "2026-08-01" } };
}

async function expectKnown(client: ClientUnderTest, archived: boolean): Promise<void> {
  const habits = [createHabit("other", false), createHabit("event-1", archived)];
  const changed = createEvent({ title: "Another title", date: "2026-12-24" });
  const asked = `a sync of the event of ${archived ? "an archived" : "a"} habit`;
  const app = connect(client, { habits });
  expectImportedIds(await app.sync(asked, listing([changed, LAST_EVENT])), ["last"]);
}

async function expectIcons(
  client: ClientUnderTest,
  icons: Readonly<Record<string, EventsSync["imported"][number]["icon"]>>,
): Promise<void> {
  const events = Object.keys(icons).map((type) => createEvent({ id: `of ${type}`, type }));
  const sync = await syncList(client, "events of several types", events);
  await expectEach(Object.entries(icons), ([type, icon]) =>
    expectImported(sync, `of ${type}`, { icon }),
  );
}
