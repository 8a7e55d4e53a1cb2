import type { Database, Queryable } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import type { LogHead, MarkedHead, OperationStore } from "../store.ts";
import { createAppender } from "./group-appends.ts";
import { expectHead, toHead, type HeadRow } from "./log-head.ts";
import { markAt } from "./sql-marks.ts";

interface MarkedHeadRow extends HeadRow {
  readonly mark: string;
}

const MARKED_HEAD = `l.generation, l.head_offset, l.compaction_floor, h.mark`;
const MARKED_LOG = "sync_log l JOIN sync_marks h ON h.log_offset = l.head_offset AND l.id = 1";

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
      return toMarkedHead(expectHead(row));
    },
    async page(after, limit) {
      // The head is read first, so that this page or a later one has every operation up to it.
      const [row] = await database.query<MarkedHeadRow & { after_mark: string | null }>(
        `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark FROM ${MARKED_LOG}`,
        [after],
      );
      const place = expectHead(row);
      const head = toMarkedHead(place);
      const rows = await database.query<{ log_offset: number; body: string }>(
        `SELECT log_offset, body FROM sync_operations WHERE log_offset > $1 AND log_offset <= $2
         ORDER BY log_offset LIMIT $3`,
        [after, head.headOffset, limit],
      );
      // A page that is not full has reached the head, across the gaps of compaction.
      const lastOffset =
        rows.length < limit ? Math.max(after, head.headOffset) : (rows.at(-1)?.log_offset ?? after);
      return {
        ...head,
        texts: rows.map(({ body }) => body),
        lastOffset,
        lastMark: lastOffset < head.headOffset ? await readMark(database, lastOffset) : head.mark,
        afterMark: place.after_mark,
      };
    },
    async *snapshot() {
      // In one statement, so that head and states belong together.
      const rows = database.stream<MarkedHeadRow & { state: string | null }>(
        `SELECT ${MARKED_HEAD}, e.state FROM ${MARKED_LOG} LEFT JOIN sync_entities e ON true
         ORDER BY e.entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
      );
      for await (const row of rows) yield { head: toMarkedHead(row), state: row.state };
    },
  };
}

async function readMark(store: Queryable, offset: number): Promise<string> {
  const [row] = await store.query<{ mark: string | null }>(`SELECT ${markAt("$1")} AS mark`, [
    offset,
  ]);
  if (typeof row?.mark !== "string") throw new Error(`No commit of the log has offset ${offset}`);
  return row.mark;
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
  const rows = await store.queryRows<{ entity_id: string; state: string }>(
    "SELECT e.entity_id, e.state FROM {rows} AS r JOIN sync_entities e ON e.entity_id = r.id",
    { columns: { id: "text" }, rows: [...entityIds].map((id) => [id]) },
  );
  return new Map(rows.map((row) => [row.entity_id, row.state]));
}

function toMarkedHead(row: MarkedHeadRow): MarkedHead {
  return { ...toHead(row), mark: row.mark };
}
