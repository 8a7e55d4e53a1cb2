/** Rules that give an entry its type by words in its categories and title, and their text form. */
import { cleanText } from "./clean-text.ts";
import type { WordRule } from "./entry.ts";
import {
  MAX_TYPE_CHARACTERS,
  MAX_WORD_CHARACTERS,
  MAX_WORD_RULES,
  MAX_WORDS_PER_RULE,
} from "./limits.ts";

export const DEFAULT_TYPE = "task";

/** English and German. Lessons come last, because a test in a lesson is a test. */
export const DEFAULT_WORD_RULES: readonly WordRule[] = Object.entries({
  homework:
    "homework, assignment, assignments, worksheet, problem set, Hausaufgabe, Hausaufgaben, Hausübung, Hausübungen, Übungsblatt, HA, HÜ",
  exam: "exam, exams, examination, midterm, finals, Klausur, Klausuren, Klassenarbeit, Klassenarbeiten, Schularbeit, Schulaufgabe, Prüfung, Prüfungen, KA",
  test: "test, tests, quiz, quizzes, Kurztest, Vokabeltest, Lernkontrolle, Lernzielkontrolle, Stegreifaufgabe",
  presentation:
    "presentation, presentations, Präsentation, Präsentationen, Referat, Referate, Vortrag",
  // Apps do not import this type.
  info: "lesson, class, lecture, Unterricht, Stunde, Vorlesung",
}).map(([type, words]) => ({ type, words: words.split(", ") }));

/** The type of the first rule with a word in any of the texts, and that word. */
export type FindType = (
  texts: readonly string[],
) => { readonly type: string; readonly word: string } | null;

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

/** The search covers more than any stored title: feeds put whole descriptions into titles. */
const MAX_SEARCHED_CHARACTERS = 1_000;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Lower-case words with one space around each, so that a plain text search finds whole words only. */
function spaceWords(text: string): string {
  const words = text.slice(0, MAX_SEARCHED_CHARACTERS).normalize("NFKC").toLowerCase().match(WORD);
  return ` ${(words ?? []).join(" ")} `;
}

export type WordRulesResult =
  | { readonly kind: "valid"; readonly rules: readonly WordRule[] }
  | WordRulesError;

export interface WordRulesError {
  readonly kind: "invalid";
  readonly code: "too-many-rules" | "bad-type" | "no-words" | "too-many-words" | "bad-word";
  /** The line counts from 1; null when no single line is wrong. */
  readonly line: number | null;
}

/** Parses one rule a line: `exam: Klausur, Prüfung`. Empty lines count as lines. */
export function parseWordRules(text: string): WordRulesResult {
  const lines = [...text.split(/\r\n|\r|\n/).entries()].filter(([, line]) => line.trim() !== "");
  if (lines.length > MAX_WORD_RULES) return { kind: "invalid", code: "too-many-rules", line: null };
  const rules: WordRule[] = [];
  for (const [index, line] of lines) {
    const rule = parseRule(line);
    if (typeof rule === "string") return { kind: "invalid", code: rule, line: index + 1 };
    rules.push(rule);
  }
  return { kind: "valid", rules };
}

function parseRule(line: string): WordRule | WordRulesError["code"] {
  const [typeText = "", ...rest] = line.split(":");
  const type = cleanWord(typeText, MAX_TYPE_CHARACTERS);
  if (type === null) return "bad-type";
  const texts = rest
    .join(":")
    .split(",")
    .filter((word) => word.trim() !== "");
  if (texts.length === 0) return "no-words";
  if (texts.length > MAX_WORDS_PER_RULE) return "too-many-words";
  const words = texts.map((word) => cleanWord(word, MAX_WORD_CHARACTERS));
  return words.every((word) => word !== null) ? { type, words } : "bad-word";
}

export function formatWordRules(rules: readonly WordRule[]): string {
  return rules.map(({ type, words }) => `${type}: ${words.join(", ")}`).join("\n");
}

/** Null for a text with a colon or a comma, which separate the parts of a rule. */
function cleanWord(source: string, maxCharacters: number): string | null {
  if (/[:,]/.test(source)) return null;
  const { text, isCut } = cleanText(source, maxCharacters);
  return isCut || text === null || !/[\p{L}\p{N}]/u.test(text) ? null : text;
}
