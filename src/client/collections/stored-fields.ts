/** Whether a collection takes the fields that an app gives, and what is stored of them. */
import type { DatedFields, Evolutions } from "../../rules/sync/evolved-fields.ts";
import { toOlderFields } from "../../rules/sync/evolved-writes.ts";
import { isCount, isElement, partField, type FieldKind } from "../../rules/sync/field-kinds.ts";
import type { Fields } from "../sync/entity.ts";
import { refuseEdit, type RefusedEdit } from "../sync/errors.ts";
import { isPlainObject } from "../sync/json-text.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { firstStep, showFields } from "./show-fields.ts";

export type StoredFields = { readonly kind: "fields"; readonly fields: Fields } | RefusedEdit;

const CALLS: Readonly<Record<FieldKind, string>> = {
  counter: "use increment, and give create a number",
  set: "use addTo or removeFrom, and give create texts",
  order: "use move",
};

/** `creator` is the device of a new entity, which alone may give a field of a kind its first value. */
export function toStoredFields(
  { kinds, older }: CollectionSettings,
  given: Fields,
  creator: string | null,
): StoredFields {
  if (!isPlainObject(given)) return refuseEdit("not_json", "the fields must be a plain object");
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (older.has(name)) {
      return refuseEdit(
        "unknown_field",
        `"${name}" is an older field: write the one that evolve reads from it`,
        name,
      );
    }
    const kind = kinds.get(name);
    if (creator !== null && value === undefined) continue;
    if (kind === undefined) fields[name] = value ?? null;
    else if (creator !== null && kind === "counter" && isCount(value)) {
      fields[partField(name, creator)] = value;
    } else if (creator !== null && kind === "set" && isElementList(value)) {
      for (const element of value) fields[partField(name, element)] = true;
    } else {
      return refuseEdit("field_kind", `"${name}" is of the kind ${kind}: ${CALLS[kind]}`, name);
    }
  }
  return { kind: "fields", fields };
}

/** The fields that an app gave, which are good, with the older ones of each `write`. */
export function withOlderFields(evolutions: Evolutions, given: Fields): StoredFields {
  let field = "";
  try {
    const older = Object.entries(given).flatMap(([name, value]) => {
      field = name;
      return Object.entries(toOlderFields(evolutions, { [name]: value }));
    });
    return { kind: "fields", fields: { ...Object.fromEntries(older), ...given } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuseEdit("evolve", `${field}: ${message}`, field);
  }
}

function isElementList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isElement);
}

/**
 * Finds an error of the entity that a change makes; `before` is empty for a new one, and `given` are the
 * fields that the app named. One that was invalid before may be mended field by field: then only these count.
 */
export function findChangeError(
  settings: CollectionSettings,
  before: DatedFields | null,
  next: DatedFields,
  given: Fields,
): RefusedEdit | null {
  const result = showFields(settings, next);
  if (result.kind === "valid") {
    const unknown = Object.keys(given).find(
      (name) => (given[name] ?? null) !== null && !Object.hasOwn(result.fields, name),
    );
    return unknown === undefined
      ? null
      : refuseEdit(
          "unknown_field",
          `the schema has no field "${unknown}": correct the name, or add it`,
          unknown,
        );
  }
  const isNew = before !== null && Object.keys(before.fields).length === 0;
  const isMended = !isNew && (before === null || showFields(settings, before).kind === "invalid");
  const issue = result.issues.find(
    ({ path }) => !isMended || Object.hasOwn(given, firstStep(path)),
  );
  if (issue === undefined) return null;
  const { path, message } = issue;
  // A schema does not say which fields it has: a misspelt one is reported with what was given.
  const isMissing = isNew && !Object.hasOwn(given, firstStep(path));
  const names = isMissing ? ` (given: ${Object.keys(given).join(", ") || "nothing"})` : "";
  return refuseEdit("schema", path === "" ? message : `${path}: ${message}${names}`, path);
}
