/** Word rules as people edit them, checked before they are kept. */
import { cleanText } from "./clean-text.ts";
import type { WordRule } from "./entry.ts";
import {
  MAX_TYPE_CHARACTERS,
  MAX_WORD_CHARACTERS,
  MAX_WORD_RULES,
  MAX_WORDS_PER_RULE,
} from "./limits.ts";

export type WordRulesResult =
  | { readonly ok: true; readonly rules: readonly WordRule[] }
  | { readonly ok: false; readonly fault: WordRulesError };

/** `line` counts rules, or the lines of the text they stand in; the first is 1. */
export interface WordRulesError {
  readonly code:
    | "no-list"
    | "too-many-rules"
    | "bad-type"
    | "no-words"
    | "too-many-words"
    | "bad-word";
  readonly line: number | null;
}

/** Of outside data: JSON, or what `parseWordRules` made. */
export function checkWordRules(value: unknown): WordRulesResult {
  if (!Array.isArray(value)) return fail("no-list", null);
  if (value.length > MAX_WORD_RULES) return fail("too-many-rules", null);
  const rules: WordRule[] = [];
  for (const [index, candidate] of value.entries()) {
    const { type, words } = membersOf(candidate);
    const cleanType = cleanWord(type, MAX_TYPE_CHARACTERS);
    if (cleanType === null) return fail("bad-type", index + 1);
    if (!Array.isArray(words) || words.length === 0) return fail("no-words", index + 1);
    if (words.length > MAX_WORDS_PER_RULE) return fail("too-many-words", index + 1);
    const cleanWords = words.map((word) => cleanWord(word, MAX_WORD_CHARACTERS));
    if (!cleanWords.every((word) => word !== null)) return fail("bad-word", index + 1);
    rules.push({ type: cleanType, words: cleanWords });
  }
  return { ok: true, rules };
}

/** One rule a line: `exam: Klausur, Prüfung`. */
export function parseWordRules(text: string): WordRulesResult {
  const lines = [...text.split(/\r\n|\r|\n/).entries()].filter(([, line]) => line.trim() !== "");
  const result = checkWordRules(lines.map(([, line]) => parseRule(line)));
  if (result.ok || result.fault.line === null) return result;
  // People count the lines they see, empty ones too.
  const [index = 0] = lines[result.fault.line - 1] ?? [];
  return fail(result.fault.code, index + 1);
}

function parseRule(line: string): WordRule {
  const colon = line.indexOf(":");
  if (colon < 0) return { type: line, words: [] };
  const words = line.slice(colon + 1).split(",");
  return { type: line.slice(0, colon), words: words.filter((word) => word.trim() !== "") };
}

export function formatWordRules(rules: readonly WordRule[]): string {
  return rules.map(({ type, words }) => `${type}: ${words.join(", ")}`).join("\n");
}

function fail(code: WordRulesError["code"], line: number | null): WordRulesResult {
  return { ok: false, fault: { code, line } };
}

function membersOf(value: unknown): { readonly type?: unknown; readonly words?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

/** Colons and commas are what the text form is made of. */
function cleanWord(value: unknown, maxCharacters: number): string | null {
  if (typeof value !== "string" || /[:,]/.test(value)) return null;
  const { text, isCut } = cleanText(value, maxCharacters);
  return isCut || text === null || !/[\p{L}\p{N}]/u.test(text) ? null : text;
}
