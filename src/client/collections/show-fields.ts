/** How stored fields become those that an app sees: kinds, then evolved fields, then the schema. */
import { isObject } from "../../contract/is-object.ts";
import {
  counterValue,
  isOrderKey,
  parsePart,
  setElements,
  type FieldKind,
} from "../../rules/sync/field-kinds.ts";
import { evolveFields, type DatedFields } from "../../rules/sync/evolved-fields.ts";
import type { Fields } from "../sync/entity.ts";
import type { FieldIssue } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

export type ReadResult =
  | { readonly kind: "valid"; readonly fields: Fields }
  | { readonly kind: "invalid"; readonly issues: readonly FieldIssue[] };

export type ShowSettings = Pick<CollectionSettings, "schema" | "kinds" | "evolutions" | "older">;

/** Never throws: what a schema or a `read` throws is an issue. */
export function showFields(settings: ShowSettings, stored: DatedFields): ReadResult {
  const { schema, kinds, evolutions } = settings;
  if (evolutions.size === 0) return check(schema, showKinds(stored.fields, kinds));
  const { fields, issues } = showEvolved(settings, stored);
  const result = check(schema, fields);
  if (issues.length === 0) return result;
  // The schema misses the fields that could not be read.
  const failed = new Set(issues.map(({ path }) => path));
  const others = result.kind === "valid" ? [] : result.issues;
  return {
    kind: "invalid",
    issues: [...issues, ...others.filter(({ path }) => !failed.has(firstStep(path)))],
  };
}

interface TodaysFields {
  /** Null stands for a field without a value. */
  readonly fields: Fields;
  readonly issues: readonly FieldIssue[];
}

function showEvolved(
  { kinds, evolutions, older }: ShowSettings,
  stored: DatedFields,
): TodaysFields {
  const plain = showKinds(stored.fields, kinds);
  const rest = Object.entries(plain).filter(([name]) => !older.has(name) && !evolutions.has(name));
  const evolved = [...evolveFields(evolutions, stored)].filter(([name]) => !older.has(name));
  const values = evolved.flatMap(([name, shown]) =>
    shown.kind === "failed" || shown.value === undefined ? [] : [[name, shown.value] as const],
  );
  const issues = evolved.flatMap(([path, shown]) =>
    shown.kind === "failed" ? [{ path, message: shown.message }] : [],
  );
  return { fields: Object.fromEntries([...rest, ...values]), issues };
}

function check(schema: StandardSchema | null, fields: Fields): ReadResult {
  const isPresent = ([, value]: readonly [string, unknown]) => value !== null;
  const hasNull = Object.values(fields).includes(null);
  const present = hasNull ? Object.fromEntries(Object.entries(fields).filter(isPresent)) : fields;
  try {
    // A schema may complete the object in place, and the stored one is frozen.
    return schema === null
      ? { kind: "valid", fields: present }
      : validate(schema, { ...present }, fields);
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

/** The field of a path. */
export function firstStep(path: string): string {
  return path.split(".")[0] ?? "";
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}
