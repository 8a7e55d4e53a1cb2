/** The plain text of a field: the JSON `[field name, value]`, whose value stays as its device wrote it. */
import { parseJson } from "../../rules/parse-json.ts";
import {
  createJsonScanner,
  enterList,
  nextElement,
  skipValue,
  takeValue,
} from "../../rules/sync/json-scanner.ts";
import type { Field } from "../../rules/sync/operation-text.ts";

export function fieldToPlainText({ name, json }: Field): string {
  return `[${JSON.stringify(name)},${json}]`;
}

/** Null when the text is something else. */
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
  return { name, json: takeValue(scanner) };
}
