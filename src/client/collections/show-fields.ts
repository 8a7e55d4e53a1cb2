/** How stored fields become those that an app sees: kinds, then upgrade, then the schema. */
import { isObject } from "../../contract/is-object.ts";
import {
  counterValue,
  isOrderKey,
  parsePart,
  setElements,
  type FieldKind,
} from "../../rules/sync/field-kinds.ts";
import type { Fields } from "../sync/entity.ts";
import type { FieldIssue } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

export type ReadResult =
  | { readonly kind: "valid"; readonly fields: Fields }
  | { readonly kind: "invalid"; readonly issues: readonly FieldIssue[] };

/** Never throws: what a schema or an upgrade throws is an issue. */
export function showFields(
  { schema, kinds, upgrade }: Pick<CollectionSettings, "schema" | "kinds" | "upgrade">,
  stored: Fields,
): ReadResult {
  try {
    const fields = showKinds(stored, kinds);
    const present = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null),
    );
    const upgraded: unknown = upgrade(present);
    if (!isObject(upgraded)) return invalid([{ message: "the upgrade must return an object" }]);
    return schema === null
      ? { kind: "valid", fields: upgraded }
      : validate(schema, upgraded, fields);
  } catch (error) {
    return invalid([{ message: error instanceof Error ? error.message : String(error) }]);
  }
}

/** The value of each field of a kind stands for its parts. */
function showKinds(stored: Fields, kinds: ReadonlyMap<string, FieldKind>): Fields {
  if (kinds.size === 0) return stored;
  const names = [...kinds.keys()];
  const isPart = (name: string) => names.some((field) => parsePart(field, name) !== null);
  const shown = Object.fromEntries(Object.entries(stored).filter(([name]) => !isPart(name)));
  for (const [field, kind] of kinds) shown[field] = kindValue(kind, field, stored);
  return shown;
}

function kindValue(kind: FieldKind, field: string, stored: Fields): unknown {
  switch (kind) {
    case "counter":
      return counterValue(field, stored);
    case "set":
      return setElements(field, stored);
    case "order":
      return isOrderKey(stored[field]) ? stored[field] : "";
  }
}

/** Null is shown as absent, except where the schema takes only null. */
function validate(schema: StandardSchema, given: Fields, withNulls: Fields): ReadResult {
  const result = run(schema, given);
  if (result.issues === undefined) return valid(result.value);
  const nulls = result.issues.flatMap(({ path = [] }) => {
    const name = String(toKey(path[0] ?? ""));
    return withNulls[name] === null ? [[name, null] as const] : [];
  });
  if (nulls.length === 0) return invalid(result.issues);
  const again = run(schema, { ...given, ...Object.fromEntries(nulls) });
  return again.issues === undefined ? valid(again.value) : invalid(again.issues);
}

function run(schema: StandardSchema, fields: Fields): StandardResult<unknown> {
  const result = schema["~standard"].validate(fields);
  if (!(result instanceof Promise)) return result;
  // The result is not waited for, and must not be an unhandled rejection.
  result.catch(() => {});
  return { issues: [{ message: "the schema must not be asynchronous" }] };
}

function valid(value: unknown): ReadResult {
  return isObject(value)
    ? { kind: "valid", fields: value }
    : invalid([{ message: "the schema must return an object" }]);
}

function invalid(issues: readonly StandardIssue[]): ReadResult {
  return {
    kind: "invalid",
    issues: issues.map(({ message, path = [] }) => ({
      path: path.map((segment) => String(toKey(segment))).join("."),
      message,
    })),
  };
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}
