/** The plain text of an operation: the JSON `[entity id, payload, metadata]`, values as their device wrote them. */
import { parseJson } from "../../rules/parse-json.ts";
import {
  createJsonScanner,
  enterList,
  nextElement,
  skipValue,
  takeValue,
  type JsonScanner,
} from "../../contract/json-scanner.ts";
import { findBoundsError } from "../../rules/sync/operation-bounds.ts";
import type { Field } from "../../rules/sync/operation-text.ts";

/** The names are those of the app; the fields have the order of their opaque names. */
export interface PlainOperation {
  readonly entityId: string;
  readonly payload: readonly Field[];
  readonly metadata: readonly Field[];
}

/** In the profile `sealed` any name is good. */
const NO_NAMES = /* @__PURE__ */ new Set<string>();

export function plainOperationToText({ entityId, payload, metadata }: PlainOperation): string {
  return `[${JSON.stringify(entityId)},${fieldsToList(payload)},${fieldsToList(metadata)}]`;
}

function fieldsToList(fields: readonly Field[]): string {
  return `[${fields.map(({ name, json }) => `[${JSON.stringify(name)},${json}]`).join(",")}]`;
}

/**
 * Null when the text is something else, or when it is over the bounds that a server checks of what it can
 * read: a value nested too deeply would end every program that shows it.
 */
export function parsePlainOperation(text: string): PlainOperation | null {
  const value = parseJson(text);
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [entityId, ...parts] = value as readonly unknown[];
  if (typeof entityId !== "string" || !parts.every(isFieldList)) return null;
  const scanner = createJsonScanner(text);
  enterList(scanner);
  nextElement(scanner);
  skipValue(scanner);
  const [payload = [], metadata = []] = parts.map((pairs) => takeFields(scanner, pairs));
  const { memberCount } = scanner;
  const error = findBoundsError({ text, value, memberCount }, "sealed", NO_NAMES);
  return error === null ? { entityId, payload, metadata } : null;
}

type FieldList = readonly (readonly [name: string, value: unknown])[];

function isFieldList(part: unknown): part is FieldList {
  return (
    Array.isArray(part) &&
    part.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string")
  );
}

/** The fields of the next element, which was parsed as these pairs. */
function takeFields(scanner: JsonScanner, pairs: FieldList): readonly Field[] {
  nextElement(scanner);
  enterList(scanner);
  const fields = pairs.map(([name]) => {
    nextElement(scanner);
    enterList(scanner);
    nextElement(scanner);
    skipValue(scanner);
    nextElement(scanner);
    const json = takeValue(scanner);
    nextElement(scanner);
    return { name, json };
  });
  nextElement(scanner);
  return fields;
}
