/** The states of entities, and the rows that they are stored in. */
import type { Queryable } from "../../database/database.ts";
import { isWithoutRegisters, parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { joinStates, type EntityState } from "../../rules/sync/merge.ts";
import { listRowIds } from "../log/entity-rows.ts";

/** Returns the texts of rows by their ids; one that is not there has none. */
export async function readStateRows(
  store: Queryable,
  rowIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const rows = await store.queryRows<{ id: string; state: string | null }>(
    `SELECT r.id, (SELECT e.state FROM sync_entities e
       WHERE e.instance = $instance AND e.entity_id = r.id) AS state
     FROM {rows} AS r`,
    { columns: { id: "text" }, rows: [...rowIds].map((id) => [id]) },
  );
  return new Map(rows.flatMap(({ id, state }) => (state === null ? [] : [[id, state]])));
}

/** Returns the states by entity id; an entity without operations has no state. */
export async function readStates(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, EntityState>> {
  const states = new Map<string, EntityState>();
  for (const [entityId, first] of await readStateRows(store, entityIds)) {
    const others = isWithoutRegisters(first)
      ? await readStateRows(store, new Set(listRowIds(entityId)))
      : NONE;
    states.set(entityId, joinStates([first, ...others.values()].map(parseEntityState)));
  }
  return states;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** A condition: no row but the first of an entity. */
export const FIRST_ROWS = "entity_id NOT LIKE '% %'";
