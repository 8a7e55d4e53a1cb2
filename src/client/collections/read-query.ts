/** The query of an app, read and checked. */
import { isPlainObject } from "../sync/json-text.ts";
import type { Fields } from "../sync/entity.ts";
import { findUnknownOption } from "./find-unknown-option.ts";
import {
  compareKeys,
  compareTypes,
  toIndexKey,
  type IndexedEntity,
  type IndexKey,
} from "./index-keys.ts";

/** A query without its types, as an app in JavaScript may write it. */
export interface UntypedQuery {
  readonly where?: Fields | undefined;
  readonly orderBy?: string | readonly string[] | undefined;
  readonly desc?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly after?: IndexedEntity | undefined;
}

/** The field has a value, between the bounds where there are some. */
export interface Condition {
  readonly field: string;
  readonly isEquality: boolean;
  readonly from: IndexKey;
  readonly to: IndexKey;
}

export interface ReadQuery {
  readonly conditions: readonly Condition[];
  /** Null for the collection's own order. A field that has one value in all rows is not among them. */
  readonly orderBy: readonly string[] | null;
  readonly desc: boolean;
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: IndexedEntity | null;
  /** The same for queries that ask the same. */
  readonly key: string;
}

const NAMES = ["where", "orderBy", "desc", "limit", "after"] as const;

/** Throws the error that `fail` makes of the reason. */
export function readQuery(
  given: UntypedQuery,
  fail: (reason: string) => Error,
  names: readonly string[] = NAMES,
): ReadQuery {
  const unknown = findUnknownOption(given, names);
  if (unknown !== null) throw fail(unknown);
  const { where = {}, desc = false, limit = Infinity, after = null } = given;
  if (!isPlainObject(where)) throw fail("where must be an object of fields and their values");
  if (typeof desc !== "boolean") throw fail("desc must be true or false");
  if (limit !== Infinity && !(Number.isInteger(limit) && limit >= 0)) {
    throw fail("limit must be a whole number, at least 0");
  }
  const conditions = Object.entries(where).map(([field, value]) => toCondition(field, value, fail));
  const isEqual = (field: string) =>
    conditions.some((one) => one.isEquality && one.field === field);
  const orderBy = readOrder(given.orderBy, fail)?.filter((field) => !isEqual(field)) ?? null;
  const position = readPosition(after, orderBy ?? [], fail);
  return {
    conditions: [...conditions, ...hasValues(orderBy ?? [], conditions)],
    orderBy,
    desc,
    limit,
    after,
    key: JSON.stringify([conditions.map(toText), orderBy, desc, limit, position]),
  };
}

export function meets({ from, to }: Condition, key: IndexKey): boolean {
  return key !== undefined && !isBelow({ from, to }, key) && !isAbove({ from, to }, key);
}

type Bounds = Pick<Condition, "from" | "to">;

/** One bound leaves out values of other types, so that they need no other one. */
export function isBelow({ from, to }: Bounds, key: IndexKey): boolean {
  if (key === undefined) return true;
  if (from !== undefined) return compareKeys(key, from) < 0;
  return to !== undefined && compareTypes(key, to) < 0;
}

export function isAbove({ from, to }: Bounds, key: IndexKey): boolean {
  if (to !== undefined) return compareKeys(key, to) > 0;
  return from !== undefined && compareTypes(key, from) > 0;
}

function toCondition(field: string, value: unknown, fail: (reason: string) => Error): Condition {
  const key = toIndexKey(value);
  if (key !== undefined) return { field, isEquality: true, from: key, to: key };
  const example = "text, a number, a date, true or false, or { from, to } of them";
  if (!isPlainObject(value)) {
    throw fail(
      value === undefined
        ? `where.${field} has no value: leave the field out, or give it ${example}`
        : `where.${field} must be ${example}`,
    );
  }
  const unknown = findUnknownOption(value, ["from", "to"]);
  if (unknown !== null) throw fail(`where.${field}: ${unknown}`);
  const [from, to] = [value["from"], value["to"]].map(toIndexKey);
  for (const [name, bound] of Object.entries(value)) {
    if (bound !== undefined && toIndexKey(bound) === undefined) {
      throw fail(`where.${field}.${name} must be text, a number, a date, true or false`);
    }
  }
  return { field, isEquality: false, from, to };
}

function readOrder(
  given: UntypedQuery["orderBy"],
  fail: (reason: string) => Error,
): readonly string[] | null {
  if (given === undefined) return null;
  const fields: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!fields.every((field) => typeof field === "string")) {
    throw fail("orderBy must be a field, or a list of fields");
  }
  return fields;
}

/** Rows without a value in the order are left out. */
function hasValues(
  orderBy: readonly string[],
  conditions: readonly Condition[],
): readonly Condition[] {
  return orderBy
    .filter((field) => !conditions.some((one) => one.field === field))
    .map((field) => ({ field, isEquality: false, from: undefined, to: undefined }));
}

function readPosition(
  after: ReadQuery["after"],
  orderBy: readonly string[],
  fail: (reason: string) => Error,
): readonly string[] {
  if (after === null) return [];
  if (typeof (after as Partial<IndexedEntity>).id !== "string") {
    throw fail("after must be the last row of the page before");
  }
  const empty = orderBy.find((field) => toIndexKey(after[field]) === undefined);
  if (empty !== undefined) throw fail(`after has no value in "${empty}", which orderBy names`);
  return [...orderBy.map((field) => keyToText(toIndexKey(after[field]))), after.id];
}

function toText({ field, from, to }: Condition): readonly string[] {
  return [field, keyToText(from), keyToText(to)];
}

/** JSON knows no infinite numbers. */
function keyToText(key: IndexKey): string {
  return `${typeof key} ${String(key)}`;
}
