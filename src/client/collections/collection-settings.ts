import { isObject } from "../../contract/is-object.ts";
import { ENTITY_TYPE_EXPECTED, isEntityType } from "../../rules/sync/entity-id.ts";
import type { FieldKind } from "../../rules/sync/field-kinds.ts";
import { olderFields, type Evolutions } from "../../rules/sync/evolved-fields.ts";
import { findUnknownOption } from "./find-unknown-option.ts";
import { readEvolutions, type UntypedEvolve } from "./read-evolutions.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** The options of a collection without their types, as an app in JavaScript may pass them. */
export interface UntypedOptions {
  readonly schema?: StandardSchema | undefined;
  readonly indexes?: readonly (string | readonly string[])[];
  readonly kinds?: Readonly<Record<string, FieldKind>>;
  readonly evolve?: UntypedEvolve;
}

export interface CollectionSettings {
  readonly type: string;
  readonly schema: StandardSchema | null;
  /** The fields of each. */
  readonly indexes: readonly (readonly string[])[];
  readonly kinds: ReadonlyMap<string, FieldKind>;
  /** The field of the kind `order`. */
  readonly orderField: string | null;
  readonly evolutions: Evolutions;
  /** The fields that evolved ones read, which are not part of today's shape. */
  readonly older: ReadonlySet<string>;
}

const KINDS: readonly FieldKind[] = ["counter", "set", "order"];

export function readCollectionSettings(type: string, options: UntypedOptions): CollectionSettings {
  const invalid = (detail: string) =>
    new TypeError(`Cannot create the collection "${type}": ${detail}`);
  // A pattern takes undefined for a text.
  if (typeof type !== "string" || !isEntityType(type)) {
    throw invalid(`a type is ${ENTITY_TYPE_EXPECTED}`);
  }
  if (isObject(options) && "upgrade" in options) {
    throw invalid("upgrade is gone: declare each field that changed in evolve");
  }
  const unknown = findUnknownOption(options, ["schema", "indexes", "kinds", "evolve"]);
  if (unknown !== null) throw invalid(unknown);
  const { schema, indexes = [], kinds = {}, evolve = {} } = options;
  // An app in JavaScript may pass anything as its schema.
  if (schema !== undefined && typeof schema["~standard"]?.validate !== "function") {
    throw invalid("schema is not a Standard Schema, such as one of zod");
  }
  const fieldsOfIndexes = Array.isArray(indexes) ? indexes.map(toFields) : [[]];
  if (!fieldsOfIndexes.every(isIndex)) {
    throw invalid("indexes must be a list of fields, or of lists of different fields");
  }
  if (!isObject(kinds) || !Object.values(kinds).every((kind) => KINDS.includes(kind))) {
    throw invalid(`each of kinds must be one of ${KINDS.join(", ")}`);
  }
  const orders = Object.keys(kinds).filter((field) => kinds[field] === "order");
  if (orders.length > 1) throw invalid(`only one of ${orders.join(" and ")} can be the order`);
  const kindsByField = new Map(Object.entries(kinds));
  const evolutions = readEvolutions(evolve, kindsByField);
  if (typeof evolutions === "string") throw invalid(evolutions);
  const older = olderFields(evolutions);
  const indexed = fieldsOfIndexes.flat().find((field) => older.has(field));
  if (indexed !== undefined) {
    throw invalid(
      `indexes has the older field "${indexed}": name the one that evolve reads from it`,
    );
  }
  return {
    type,
    schema: schema ?? null,
    indexes: fieldsOfIndexes,
    kinds: kindsByField,
    orderField: orders[0] ?? null,
    evolutions,
    older,
  };
}

function toFields(index: string | readonly string[]): readonly unknown[] {
  return Array.isArray(index) ? index : [index];
}

function isIndex(fields: readonly unknown[]): fields is readonly string[] {
  const isNamed = fields.every((field) => typeof field === "string");
  return isNamed && fields.length > 0 && new Set(fields).size === fields.length;
}
