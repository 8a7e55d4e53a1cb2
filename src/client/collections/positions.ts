/** Where an entity goes in an order: its key, and new keys for those that leave it no room. */
import { generateKeyBetween } from "fractional-indexing";
import { isObject } from "../../contract/is-object.ts";
import { refuseEdit, type RefusedEdit } from "../sync/errors.ts";
import type { OrderPlace } from "./collection.ts";

/** An entity in its order; the key is empty while it has none. */
export interface Position {
  readonly id: string;
  readonly key: string;
}

/**
 * Places the entity at the index among the others, which are sorted. Its own position is the first of
 * the result. Entities that were made at the same time on two devices may share a key, between which
 * there is no other; those behind it get new ones, and so do those before it that have none.
 */
export function placeAt(others: readonly Position[], index: number, id: string): Position[] {
  let start = index;
  while (start > 0 && others[start - 1]?.key === "") start--;
  const lower = others[start - 1]?.key ?? null;
  let end = index;
  while (others[end]?.key === lower) end++;
  const upper = others[end]?.key || null;
  const before = others.slice(start, index).map((one) => one.id);
  const after = others.slice(index, end).map((one) => one.id);
  const ids = [...before, id, ...after];
  let key = lower;
  const positions = ids.map((one) => ({ id: one, key: (key = generateKeyBetween(key, upper)) }));
  return [positions[before.length] as Position, ...positions.filter((one) => one.id !== id)];
}

/** The index of the place among the others. */
export function findPlace(others: readonly Position[], place: OrderPlace): number | RefusedEdit {
  const [[name, value] = [], ...more] = Object.entries(isObject(place) ? place : {});
  const isOne = more.length === 0;
  if (isOne && name === "first" && value === true) return 0;
  if (isOne && name === "last" && value === true) return others.length;
  if (!isOne || (name !== "before" && name !== "after")) {
    return refuseEdit(
      "order_place",
      "a place is one of { first: true }, { last: true }, { before: id } and { after: id }",
    );
  }
  const index = others.findIndex(({ id }) => id === value);
  return index < 0
    ? refuseEdit(
        "order_place",
        `there is no other entity "${String(value)}": read the list again`,
        name,
      )
    : index + Number(name === "after");
}
