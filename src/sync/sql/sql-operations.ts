/** The operations of the log: how they are appended, and read in pages and as a snapshot. */
import type { Database, Queryable } from "../../database/database.ts";
import { joinTexts, splitTexts } from "../../database/joined-texts.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import type { LogPage, OperationStore } from "../store.ts";
import { createAppender } from "./append-pushes.ts";
import {
  expectMarkedHead,
  markAt,
  MARKED_HEAD,
  MARKED_LOG,
  toMarkedHead,
  type MarkedHeadRow,
  type StoredHead,
} from "./log-head.ts";
import { createSqlSnapshots } from "./sql-snapshot.ts";

/** The callbacks are those of `createAppender`. */
export function createSqlOperations(
  database: Database,
  onCommit: (head: StoredHead) => void,
  onGroup?: (pushes: number) => void,
): OperationStore {
  return {
    append: createAppender(database, onCommit, onGroup),
    async head() {
      const [row] = await database.query<MarkedHeadRow>(`SELECT ${MARKED_HEAD} FROM ${MARKED_LOG}`);
      return toMarkedHead(expectMarkedHead(row));
    },
    page: createPageReader(database),
    ...createSqlSnapshots(database),
  };
}

/** Each page has its head. PostgreSQL reads both in one round trip; SQLite has none and reads rows faster. */
function createPageReader(database: Database): OperationStore["page"] {
  const read = database.dialect === "postgres" ? readAtOnce : readInTurn;
  return (after, limit) => read(database, after, limit);
}

interface PlaceRow extends MarkedHeadRow {
  readonly after_mark: string | null;
}

interface PageRow extends PlaceRow {
  readonly texts: string | null;
  readonly last_offset: number | null;
  readonly last_mark: string | null;
}

const PAGE = `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark,
    p.texts, p.last_offset, ${markAt("p.last_offset")} AS last_mark
  FROM ${MARKED_LOG} CROSS JOIN (
    SELECT ${joinTexts("o.body")} AS texts, max(o.log_offset) AS last_offset
    FROM (SELECT log_offset, body FROM sync_operations WHERE log_offset > $1
      ORDER BY log_offset LIMIT $2) AS o
  ) AS p`;

/** One statement sees one snapshot, which has no operation beyond its head. */
async function readAtOnce(store: Queryable, after: number, limit: number): Promise<LogPage> {
  const [row] = await store.query<PageRow>(PAGE, [after, limit]);
  const page = expectMarkedHead(row);
  const texts = splitTexts(page.texts);
  const { last_offset: offset, last_mark: mark } = page;
  const isFull = texts.length === limit && offset !== null && mark !== null;
  return toPage(page, texts, isFull ? { offset, mark } : endOf(page, after));
}

async function readInTurn(store: Queryable, after: number, limit: number): Promise<LogPage> {
  // The head is read first, so that this page or a later one has every operation up to it.
  const [row] = await store.query<PlaceRow>(
    `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark FROM ${MARKED_LOG}`,
    [after],
  );
  const head = expectMarkedHead(row);
  const rows = await store.query<{ log_offset: number; body: string }>(
    `SELECT log_offset, body FROM sync_operations WHERE log_offset > $1 AND log_offset <= $2
     ORDER BY log_offset LIMIT $3`,
    [after, head.head_offset, limit],
  );
  const texts = rows.map(({ body }) => body);
  const offset = rows.length < limit ? head.head_offset : (rows.at(-1)?.log_offset ?? after);
  return toPage(
    head,
    texts,
    offset < head.head_offset
      ? { offset, mark: await readMark(store, offset) }
      : endOf(head, after),
  );
}

async function readMark(store: Queryable, offset: number): Promise<string> {
  const [row] = await store.query<{ mark: string | null }>(`SELECT ${markAt("$1")} AS mark`, [
    offset,
  ]);
  if (typeof row?.mark !== "string") throw new Error(`No commit of the log has offset ${offset}`);
  return row.mark;
}

interface Place {
  readonly offset: number;
  readonly mark: string;
}

/** A page that is not full has reached the head, across the gaps of compaction. */
function endOf({ head_offset: headOffset, mark }: MarkedHeadRow, after: number): Place {
  return { offset: Math.max(after, headOffset), mark };
}

function toPage(row: PlaceRow, texts: readonly string[], { offset, mark }: Place): LogPage {
  return {
    ...toMarkedHead(row),
    texts,
    lastOffset: offset,
    lastMark: mark,
    afterMark: row.after_mark,
  };
}

/** Returns the states by entity id; an entity without operations has no state. */
export async function readStates(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, EntityState>> {
  const rows = await store.queryRows<{ id: string; state: string | null }>(
    `SELECT r.id, (SELECT e.state FROM sync_entities e WHERE e.entity_id = r.id) AS state
     FROM {rows} AS r`,
    { columns: { id: "text" }, rows: [...entityIds].map((id) => [id]) },
  );
  return new Map(
    rows.flatMap(({ id, state }) => (state === null ? [] : [[id, parseEntityState(state)]])),
  );
}
