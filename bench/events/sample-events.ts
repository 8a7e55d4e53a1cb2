/** School planner events, entered days or weeks ahead, some changed or deleted; their number decides all. */
import { createHash } from "node:crypto";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { StoredEvent } from "../../src/events/store.ts";

/** The number of events to come, whatever there was before: a page of 500 has them and what came last. */
const UPCOMING = 300;
const EVENTS_PER_DAY = 5;
/** A planner of a million events is no older than this. */
const MAX_DAYS = 3650;
const SUBJECTS = ["Mathematics", "German", "English", "Biology", "History", "Latin", "Physics"];
const TASKS = [
  ["homework", "Exercises 12 to 18 on page"],
  ["homework", "Read the chapter that begins on page"],
  ["task", "Bring the signed form, number"],
  ["info", "Lesson is moved to room"],
  ["exam", "Class test on unit"],
  ["presentation", "Talk in front of the class, group"],
] as const;

/** Returns events in the order in which they were entered, each as it is now. */
export function createSampleEvents(size: number, today: number, sourceId: string): StoredEvent[] {
  const perDay = Math.max(EVENTS_PER_DAY, size / MAX_DAYS);
  const dayOf = (index: number) =>
    today + Math.floor((index - (size - UPCOMING)) / perDay + 1) * DAY_MS;
  const changes: { readonly at: number; readonly index: number; readonly isDeletion: boolean }[] =
    [];
  for (let index = 0; index < size; index++) {
    const enteredAt = Math.min(dayOf(index) - (1 + pick(index, 1, 21)) * DAY_MS, today - DAY_MS);
    changes.push({ at: enteredAt, index, isDeletion: false });
    const fate = pick(index, 2, 100);
    const laterAt = Math.min(enteredAt + (1 + pick(index, 3, 7)) * DAY_MS, today);
    // Three of a hundred are deleted, another five are changed.
    if (fate < 8) changes.push({ at: laterAt, index, isDeletion: fate < 3 });
  }
  changes.sort((a, b) => a.at - b.at || a.index - b.index);
  const planner = new Map<number, StoredEvent>();
  let lastStamp = 0;
  for (const { at, index, isDeletion } of changes) {
    lastStamp = Math.max(at, lastStamp + 1);
    const known = planner.get(index);
    planner.set(index, {
      ...(known ?? createEvent(index, dayOf(index), at, sourceId)),
      updatedAt: lastStamp,
      deletedAt: isDeletion ? at : null,
    });
  }
  return [...planner.values()];
}

function createEvent(index: number, day: number, at: number, sourceId: string): StoredEvent {
  const [type, text] = TASKS[pick(index, 4, TASKS.length)] ?? TASKS[0];
  return {
    eventId: createHash("sha256").update(`${sourceId} ${index}`).digest("base64url"),
    sourceId,
    type,
    subjectName: SUBJECTS[pick(index, 5, SUBJECTS.length)] ?? null,
    title: `${text} ${pick(index, 6, 200)}`,
    date: new Date(day).toISOString().slice(0, 10),
    dateAt: day,
    createdAt: new Date(at).toISOString(),
    updatedAt: at,
    deletedAt: null,
    missing: 0,
  };
}

/** A number below `range` that looks like chance and is the same in every run. */
function pick(index: number, salt: number, range: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % range;
}

/** Writes the sample events as a calendar, for importing. */
export function writeSampleCalendar(size: number, today: number): string {
  const entries = createSampleEvents(size, today, "calendar").flatMap((event) => [
    "BEGIN:VEVENT",
    `UID:${event.eventId}@planner.example`,
    `DTSTAMP:${event.createdAt.replaceAll(/[-:]|\.\d+/g, "")}`,
    `DTSTART;VALUE=DATE:${event.date?.replaceAll("-", "")}`,
    `SUMMARY:${event.subjectName}: ${event.title}`,
    `CATEGORIES:${event.type}`,
    `DESCRIPTION:Entered by the teacher of ${event.subjectName}. Ask in the next lesson what is unclear\\,`,
    "  and bring what you have.",
    "END:VEVENT",
  ]);
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Planner//EN"];
  return [...head, ...entries, "END:VCALENDAR", ""].join("\r\n");
}
