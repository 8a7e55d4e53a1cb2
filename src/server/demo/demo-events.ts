/** A made-up school's calendar, as it would be downloaded, and what somebody noted by hand. */
import type { EventContent } from "../../events/store.ts";

const DAY = 86_400_000;

export const DEMO_CALENDAR = "class-7b.ics";

const ENTRIES = [
  { uid: "math-exam", inDays: 6, summary: "Klausur Mathematik", category: "Mathematik" },
  { uid: "history-talk", inDays: 3, summary: "Presentation: the Hanse", category: "History" },
  { uid: "english-homework", inDays: 1, summary: "Homework: essay, page 42", category: "English" },
  { uid: "biology-test", inDays: 10, summary: "Test on photosynthesis", category: "Biology" },
  { uid: "museum", inDays: 13, summary: "Bring money for the museum", category: null },
] as const;

/** RFC 5545: one series of lessons among whole days. Lessons never become habits. */
export function createDemoCalendar(now: number): string {
  const stamp = toBasic(new Date(now).toISOString());
  const events = ENTRIES.flatMap(({ uid, inDays, summary, category }) => [
    "BEGIN:VEVENT",
    `UID:${uid}@class-7b.example`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${toBasic(dayAfter(now, inDays))}`,
    `SUMMARY:${summary.replaceAll(",", "\\,")}`,
    ...(category === null ? [] : [`CATEGORIES:${category}`]),
    "END:VEVENT",
  ]);
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
    "SUMMARY:Lesson: sports",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

export function createDemoNotes(now: number): readonly EventContent[] {
  const note = (inDays: number, type: string, title: string): EventContent => {
    const date = dayAfter(now, inDays);
    return { type, title, subjectName: null, date, dateAt: Date.parse(date) };
  };
  return [
    note(2, "task", "Give the library book back"),
    note(5, "presentation", "Practise the talk aloud"),
    note(-2, "task", "Buy index cards"),
  ];
}

function dayAfter(now: number, days: number): string {
  return new Date(now + days * DAY).toISOString().slice(0, 10);
}

/** Without what RFC 5545 leaves out: `20260131`, `20260131T101500Z`. */
function toBasic(text: string): string {
  return text.replaceAll(/[-:]|\.\d+/g, "");
}
