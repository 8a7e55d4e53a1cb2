/** The states of all entities at one moment. */
import type { Database, Dialect } from "../../database/database.ts";
import { entityIdOfRow, joinRows } from "../log/entity-rows.ts";
import type { MarkedHead, OperationStore } from "../store.ts";
import {
  expectMarkedHead,
  MARKED_HEAD,
  MARKED_LOG,
  toMarkedHead,
  type MarkedHeadRow,
} from "./log-head.ts";

type SnapshotRow = MarkedHeadRow & {
  readonly entity_id: string;
  readonly state: string | null;
  readonly operations: string | null;
};

export function createSqlSnapshots(
  database: Database,
): Pick<OperationStore, "snapshot" | "sealedSnapshot"> {
  return {
    async *snapshot() {
      for await (const { head, rows } of readEntities(database, "NULL")) {
        yield { head, state: rows.length === 0 ? null : joinRows(rows.map(toState)) };
      }
    },
    async *sealedSnapshot() {
      for await (const { head, rows } of readEntities(database, OWNERS[database.dialect])) {
        if (rows.length === 0) yield { head, entity: null };
        else yield { head, entity: { state: joinRows(rows.map(toState)), operations: join(rows) } };
      }
    },
  };
}

function toState({ state }: SnapshotRow): string {
  if (state === null) throw new Error("An entity has no state");
  return state;
}

/** RFC 8259 2 and 7: no JSON text contains this character. */
const SEPARATOR = "\u001F";

/** The operations of all rows, each once and in the order of the log. */
function join(rows: readonly SnapshotRow[]): string[] {
  const byOffset = new Map<number, string>();
  for (const { operations } of rows) {
    for (const text of operations?.split(SEPARATOR) ?? []) {
      const start = text.indexOf("{");
      byOffset.set(Number(text.slice(0, start)), text.slice(start));
    }
  }
  return [...byOffset].sort(([one], [other]) => one - other).map(([, text]) => text);
}

/** Each entity with its rows, which follow each other; no rows for a log without entities. */
async function* readEntities(database: Database, operations: string) {
  let rows: SnapshotRow[] = [];
  let last: MarkedHead | null = null;
  for await (const { head, row } of readSnapshot(database, operations)) {
    const [first] = rows;
    if (row === null) {
      yield { head, rows: [] };
      return;
    }
    const isSame =
      first !== undefined && entityIdOfRow(row.entity_id) === entityIdOfRow(first.entity_id);
    if (first !== undefined && !isSame) {
      yield { head, rows };
      rows = [];
    }
    rows.push(row);
    last = head;
  }
  if (last !== null) yield { head: last, rows };
}

/**
 * The operations that own a register of the entity, which are those of its state's revisions. The ledger finds
 * them, so that no entity waits for a sort of the log. SQLite reads cross joins in their order; it would take
 * that of the log instead, and read all of it for each entity.
 */
function owners(revisions: string, deviceId: string, sequence: string, join: string): string {
  return `(SELECT ${join} FROM (
      SELECT o.log_offset || ' ' || o.body AS body FROM ${revisions} AS r
      CROSS JOIN sync_ledger l CROSS JOIN sync_operations o
      WHERE l.instance = $instance AND l.operation_id = 'operation/' || ${deviceId} || '/' || ${sequence}
        AND o.instance = $instance AND o.log_offset = l.log_offset ORDER BY o.log_offset
    ) AS owners)`;
}

const OWNERS: Readonly<Record<Dialect, string>> = {
  sqlite: owners(
    "json_each(e.state, '$[2]')",
    "json_extract(r.value, '$[1]')",
    "json_extract(r.value, '$[0]')",
    `group_concat(body, char(${SEPARATOR.charCodeAt(0)}))`,
  ),
  postgres: owners(
    "json_array_elements(e.state::json -> 2)",
    "(r.value ->> 1)",
    "(r.value ->> 0)",
    `string_agg(body, chr(${SEPARATOR.charCodeAt(0)}))`,
  ),
};

/**
 * One statement reads head and states, so that they belong together: the head is its first row. As a join,
 * SQLite would sort all states in memory before the first one.
 */
async function* readSnapshot(database: Database, operations: string) {
  const id = `e.entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`;
  const rows = database.stream<SnapshotRow>(
    `SELECT ${MARKED_HEAD}, NULL AS state, NULL AS operations, '' AS entity_id FROM ${MARKED_LOG}
     UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, e.state, ${operations}, ${id}
       FROM sync_entities e WHERE e.instance = $instance ORDER BY entity_id`,
  );
  let head: MarkedHead | undefined;
  let isEmpty = true;
  for await (const row of rows) {
    if (head === undefined) {
      head = toMarkedHead(expectMarkedHead(row));
    } else {
      isEmpty = false;
      yield { head, row };
    }
  }
  if (isEmpty) yield { head: head ?? toMarkedHead(expectMarkedHead(undefined)), row: null };
}
