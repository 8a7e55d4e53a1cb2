/** Why events that are missing from a calendar were kept, in words. */
import type { ReconcileWarning } from "../../../rules/events/ingest/reconcile.ts";
import type { Language } from "../../language.ts";
import { wordsOf, type Words } from "./words.ts";

export const WARNINGS: Words<ReconcileWarning["code"]> = {
  en: {
    "feed-shrunk":
      "More than half of the entries are suddenly gone from the calendar. To be safe, their events were kept. If that is meant to be so, you can delete them here.",
    "outside-window":
      "Some entries are gone from the calendar, but they lie in a time it no longer tells about. Their events were kept.",
  },
  de: {
    "feed-shrunk":
      "Mehr als die Hälfte der Einträge fehlt plötzlich im Kalender. Zur Sicherheit wurden ihre Termine behalten. Wenn das so gewollt ist, kannst du sie hier löschen.",
    "outside-window":
      "Einige Einträge fehlen im Kalender, liegen aber in einer Zeit, über die er nichts mehr sagt. Ihre Termine wurden behalten.",
  },
};

const OTHER = {
  en: "Events that are missing from the calendar were kept.",
  de: "Termine, die im Kalender fehlen, wurden behalten.",
};

export function describeWarning(code: string, language: Language): string {
  return wordsOf(WARNINGS, code, language, OTHER);
}
