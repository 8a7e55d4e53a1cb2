/** The plain text of a field: the JSON `[field name, value]`, whose value stays as its device wrote it. */
import { parseJson } from "../../rules/parse-json.ts";
import { findBoundsError } from "../../rules/sync/operation-bounds.ts";
import {
  createJsonScanner,
  enterList,
  nextElement,
  skipValue,
  takeValue,
} from "../../contract/json-scanner.ts";
import type { Field } from "../../rules/sync/operation-text.ts";

/** In the profile `sealed` any name is good. */
const NO_NAMES = /* @__PURE__ */ new Set<string>();

export function fieldToPlainText({ name, json }: Field): string {
  return `[${JSON.stringify(name)},${json}]`;
}

/**
 * Null when the text is something else, or when it is over the bounds that a server checks of what it can
 * read: a value nested too deeply would end every program that shows it.
 */
export function plainTextToField(text: string): Field | null {
  const pair = parseJson(text);
  if (!Array.isArray(pair) || pair.length !== 2) return null;
  const name: unknown = pair[0];
  if (typeof name !== "string") return null;
  const scanner = createJsonScanner(text);
  enterList(scanner);
  nextElement(scanner);
  skipValue(scanner);
  nextElement(scanner);
  const json = takeValue(scanner);
  const { memberCount } = scanner;
  return findBoundsError({ text, value: pair, memberCount }, "sealed", NO_NAMES) === null
    ? { name, json }
    : null;
}
