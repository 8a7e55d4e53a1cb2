/** Finds the type of an entry by the words in its categories and its title. */
import type { WordRule } from "./entry.ts";

export const DEFAULT_TYPE = "task";

/** Never imported as habits by apps: the type of lessons. */
const LESSON_TYPE = "info";

/**
 * English and German. Lessons come last: a test in a lesson is a test, and what is to be prepared for
 * another day stands in homework first.
 */
export const DEFAULT_WORD_RULES: readonly WordRule[] = [
  {
    type: "homework",
    words: [
      "homework",
      "assignment",
      "assignments",
      "worksheet",
      "problem set",
      "Hausaufgabe",
      "Hausaufgaben",
      "Hausübung",
      "Hausübungen",
      "Übungsblatt",
      "HA",
      "HÜ",
    ],
  },
  {
    type: "exam",
    words: [
      "exam",
      "exams",
      "examination",
      "midterm",
      "finals",
      "Klausur",
      "Klausuren",
      "Klassenarbeit",
      "Klassenarbeiten",
      "Schularbeit",
      "Schulaufgabe",
      "Prüfung",
      "Prüfungen",
      "KA",
    ],
  },
  {
    type: "test",
    words: [
      "test",
      "tests",
      "quiz",
      "quizzes",
      "Kurztest",
      "Vokabeltest",
      "Lernkontrolle",
      "Lernzielkontrolle",
      "Stegreifaufgabe",
    ],
  },
  {
    type: "presentation",
    words: [
      "presentation",
      "presentations",
      "Präsentation",
      "Präsentationen",
      "Referat",
      "Referate",
      "Vortrag",
    ],
  },
  {
    type: LESSON_TYPE,
    words: ["lesson", "class", "lecture", "Unterricht", "Stunde", "Vorlesung"],
  },
];

export interface FoundType {
  readonly type: string;
  /** The word of the rule that was found, as the rule has it. */
  readonly word: string;
}

/** By the first rule with a word in any of the texts; null when there is none. */
export type FindType = (texts: readonly string[]) => FoundType | null;

export function createTypeFinder(rules: readonly WordRule[]): FindType {
  const phrases = rules.flatMap(({ words, type }) =>
    words
      .map((word) => ({ type, word, spaced: spaceWords(word) }))
      .filter(({ spaced }) => spaced.trim() !== ""),
  );
  return (texts) => {
    const spaced = texts.map(spaceWords);
    const found = phrases.find((phrase) => spaced.some((text) => text.includes(phrase.spaced)));
    return found === undefined ? null : { type: found.type, word: found.word };
  };
}

/** Longer than any title that is kept; feeds put whole descriptions into titles. */
const MAX_SEARCHED_CHARACTERS = 1_000;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Lower-case words with one space around each, so that whole words are found as plain text. */
function spaceWords(text: string): string {
  const words = text.slice(0, MAX_SEARCHED_CHARACTERS).normalize("NFKC").toLowerCase().match(WORD);
  return ` ${(words ?? []).join(" ")} `;
}
