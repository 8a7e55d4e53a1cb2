import { ENTITY_TYPE_EXPECTED, isEntityType } from "../../rules/sync/entity-id.ts";
import type { FieldKind } from "../../rules/sync/field-kinds.ts";
import type { Fields } from "../sync/entity.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** The options of a collection without their types, as an app in JavaScript may pass them. */
export interface UntypedOptions {
  readonly schema?: StandardSchema | undefined;
  readonly indexes?: readonly string[];
  readonly kinds?: Readonly<Record<string, FieldKind>>;
  readonly upgrade?: (fields: Fields) => object;
}

export interface CollectionSettings {
  readonly type: string;
  readonly schema: StandardSchema | null;
  readonly indexes: readonly string[];
  readonly kinds: ReadonlyMap<string, FieldKind>;
  /** The field of the kind `order`. */
  readonly orderField: string | null;
  readonly upgrade: (fields: Fields) => object;
}

const KINDS: readonly FieldKind[] = ["counter", "set", "order"];

export function readCollectionSettings(
  type: string,
  { schema, indexes = [], kinds = {}, upgrade = (fields) => fields }: UntypedOptions,
): CollectionSettings {
  const invalid = (detail: string) =>
    new TypeError(`Cannot create the collection "${type}": ${detail}`);
  if (!isEntityType(type)) throw invalid(`a type is ${ENTITY_TYPE_EXPECTED}`);
  // An app in JavaScript may pass anything as its schema.
  if (schema !== undefined && typeof schema["~standard"]?.validate !== "function") {
    throw invalid("schema is no Standard Schema, such as one of zod");
  }
  const orders = Object.keys(kinds).filter((field) => kinds[field] === "order");
  if (orders.length > 1) throw invalid(`only one of ${orders.join(" and ")} can be the order`);
  if (!Object.values(kinds).every((kind) => KINDS.includes(kind))) {
    throw invalid(`each of kinds must be one of ${KINDS.join(", ")}`);
  }
  return {
    type,
    schema: schema ?? null,
    indexes,
    kinds: new Map(Object.entries(kinds)),
    orderField: orders[0] ?? null,
    upgrade,
  };
}
