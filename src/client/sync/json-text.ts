/** The JSON text of an app's value. What would be another value when it is read is refused: a Date would be text. */
import { isObject, type Members } from "../../contract/is-object.ts";
import { MAX_NESTING } from "../../contract/sync/operation-limits.ts";
import type { ValuePath } from "./value-path.ts";

export type JsonText =
  | { readonly kind: "text"; readonly text: string }
  /** `found` is what is at the path, such as `a Blob`. */
  | { readonly kind: "not-json"; readonly path: ValuePath; readonly found: string };

export function toJsonText(value: unknown, path: ValuePath): JsonText {
  try {
    const error = findNotJson(value, path, []);
    return error ?? { kind: "text", text: JSON.stringify(value) };
  } catch {
    // A getter or a proxy of the app threw.
    return { kind: "not-json", path, found: "an object that cannot be read" };
  }
}

type NotJson = Extract<JsonText, { kind: "not-json" }>;

function findNotJson(value: unknown, path: ValuePath, above: readonly unknown[]): NotJson | null {
  if (isJsonPrimitive(value)) return null;
  if (!Array.isArray(value) && !isPlainObject(value)) {
    return { kind: "not-json", path, found: describe(value) };
  }
  if (above.includes(value)) return { kind: "not-json", path, found: "an object that contains it" };
  // The rules refuse what is nested this deep, and a value must not exhaust the stack before.
  if (above.length > MAX_NESTING) return null;
  for (const [name, member] of membersOf(value)) {
    const error = findNotJson(member, [...path, name], [...above, value]);
    if (error !== null) return error;
  }
  return null;
}

/** As JSON has it, a member that is undefined is absent; in a list it would become null. */
function membersOf(value: object): (readonly [string | number, unknown])[] {
  return Array.isArray(value)
    ? Array.from(value, (element: unknown, index) => [index, element] as const)
    : Object.entries(value).filter(([, member]) => member !== undefined);
}

function isJsonPrimitive(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

/** Objects of another frame have another `Object.prototype`. */
export function isPlainObject(value: unknown): value is Members {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    return `an instance of ${value.constructor.name || "a class"}`;
  }
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}
