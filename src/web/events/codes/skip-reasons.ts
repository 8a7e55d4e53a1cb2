/** Why an entry was left out, in words. */
import type { SkipReason } from "../../../rules/events/ingest/entry.ts";
import { FIRST_YEAR, LAST_YEAR } from "../../../rules/events/ingest/limits.ts";
import type { Language } from "../../language.ts";
import { wordsOf, type Words } from "./words.ts";

export const SKIP_REASONS: Words<SkipReason> = {
  en: {
    "no-date": "It has no date.",
    "bad-date": "Its date does not exist or cannot be read.",
    "date-out-of-range": `Its year is not between ${FIRST_YEAR} and ${LAST_YEAR}.`,
    "bad-rule": "Its rule for repeating cannot be followed.",
    "no-occurrence": "It repeats, but not in the time that is imported.",
    duplicate: "There is another entry with the same identity.",
    "bad-id": "Its identity is missing, too long or no text.",
    "bad-type": "Its type is too long or no text.",
    "bad-text": "Its title or subject is no text.",
    "bad-shape": "It does not look like an event.",
    "no-content": "It is empty.",
  },
  de: {
    "no-date": "Er hat kein Datum.",
    "bad-date": "Sein Datum gibt es nicht, oder es lässt sich nicht lesen.",
    "date-out-of-range": `Sein Jahr liegt nicht zwischen ${FIRST_YEAR} und ${LAST_YEAR}.`,
    "bad-rule": "Seine Regel für Wiederholungen lässt sich nicht befolgen.",
    "no-occurrence": "Er wiederholt sich, aber nicht in der Zeit, die übernommen wird.",
    duplicate: "Es gibt noch einen Eintrag mit derselben Kennung.",
    "bad-id": "Seine Kennung fehlt, ist zu lang oder kein Text.",
    "bad-type": "Seine Art ist zu lang oder kein Text.",
    "bad-text": "Sein Titel oder Fach ist kein Text.",
    "bad-shape": "Er sieht nicht wie ein Termin aus.",
    "no-content": "Er ist leer.",
  },
};

const OTHER = { en: "It cannot be imported.", de: "Er lässt sich nicht übernehmen." };

export function describeSkipReason(reason: string, language: Language): string {
  return wordsOf(SKIP_REASONS, reason, language, OTHER);
}
