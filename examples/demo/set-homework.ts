/** A teacher sets homework: it enters the calendar, which is imported again as `trellis events import` does. */
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Language } from "../../src/contract/language.ts";
import { importFile } from "../../src/events/import/import-file.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { formatEntry, type CalendarEntry, type DemoEvents } from "./demo-events.ts";

export interface HomeworkSettings extends Pick<DemoEvents, "accountId" | "calendarPath"> {
  readonly store: EventsStore;
  readonly timeZone: string;
}

type Homework = Pick<CalendarEntry, "summary" | "category">;

const HOMEWORK: Readonly<Record<Language, readonly Homework[]>> = {
  en: [
    { summary: "Homework: essay, page 42", category: "English" },
    { summary: "Homework: map of the Hanse", category: "History" },
    { summary: "Homework: label the leaf", category: "Biology" },
  ],
  de: [
    { summary: "Hausaufgabe: Aufsatz, Seite 42", category: "Deutsch" },
    { summary: "Hausaufgabe: Karte der Hanse", category: "Geschichte" },
    { summary: "Hausaufgabe: Blatt beschriften", category: "Biologie" },
  ],
};
const END = "END:VCALENDAR";

/** Returns the title of the homework. `count` is how often this function was called before. */
export async function setHomework(
  { store, timeZone, accountId, calendarPath }: HomeworkSettings,
  language: Language,
  count: number,
): Promise<string> {
  const list = HOMEWORK[language];
  const homework = list[count % list.length] as Homework;
  const entry = formatEntry({ ...homework, uid: `homework-${count + 1}`, inDays: 1 }, Date.now());
  const calendar = await readFile(calendarPath, "utf8");
  const changed = calendar.replace(END, `${entry}\r\n${END}`);
  await writeFile(calendarPath, changed);
  const imported = await importFile({
    store,
    accountId,
    bytes: Buffer.from(changed),
    fileName: basename(calendarPath),
    defaultTimeZone: timeZone,
  });
  if (imported.kind === "failed") {
    throw new Error(`The calendar "${calendarPath}" cannot be imported any more`);
  }
  return homework.summary;
}
