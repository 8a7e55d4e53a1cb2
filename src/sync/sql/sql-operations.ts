import type { Database, Queryable } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import type { LogHead, OperationStore } from "../store.ts";
import { createAppender } from "./append-pushes.ts";
import {
  expectMarkedHead,
  MARKED_HEAD,
  MARKED_LOG,
  toMarkedHead,
  type MarkedHeadRow,
} from "./log-head.ts";
import { createPageReader } from "./read-page.ts";

/** The callbacks are those of `createAppender`. */
export function createSqlOperations(
  database: Database,
  onCommit: (head: LogHead) => void,
  onGroup?: (pushes: number) => void,
): OperationStore {
  return {
    append: createAppender(database, onCommit, onGroup),
    async head() {
      const [row] = await database.query<MarkedHeadRow>(`SELECT ${MARKED_HEAD} FROM ${MARKED_LOG}`);
      return toMarkedHead(expectMarkedHead(row));
    },
    page: createPageReader(database),
    async *snapshot() {
      // In one statement, so that head and states belong together.
      const rows = database.stream<MarkedHeadRow & { state: string | null }>(
        `SELECT ${MARKED_HEAD}, e.state FROM ${MARKED_LOG} LEFT JOIN sync_entities e ON true
         ORDER BY e.entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
      );
      for await (const row of rows) {
        yield { head: toMarkedHead(expectMarkedHead(row)), state: row.state };
      }
    },
  };
}

/** By entity id; an entity without operations has no state. */
export async function readStates(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, EntityState>> {
  const texts = await readStateTexts(store, entityIds);
  return new Map([...texts].map(([id, text]) => [id, parseEntityState(text)]));
}

async function readStateTexts(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const rows = await store.queryRows<{ id: string; state: string | null }>(
    `SELECT r.id, (SELECT e.state FROM sync_entities e WHERE e.entity_id = r.id) AS state
     FROM {rows} AS r`,
    { columns: { id: "text" }, rows: [...entityIds].map((id) => [id]) },
  );
  return new Map(rows.flatMap(({ id, state }) => (state === null ? [] : [[id, state]])));
}
