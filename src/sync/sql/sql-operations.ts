/** The operations of the log: how they are appended, and read in pages and as a snapshot. */
import type { Database, Queryable, Row } from "../../database/database.ts";
import { joinTexts, splitTexts } from "../../database/joined-texts.ts";
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

/** How a page with as many operations as it may have ends. */
interface EndRow extends Row {
  readonly last_mark: string | null;
  /** The end of the push that the last operation belongs to. */
  readonly push_end: number | null;
  /** The end of the push before that one, with its mark; null for the first. */
  readonly whole_end: number | null;
  readonly whole_mark: string | null;
  /** How many operations of the page belong to pushes that are whole. */
  readonly whole_count: number;
  /** The operation behind the page; null at the head. */
  readonly next_offset: number | null;
}

type PageRow = PlaceRow &
  EndRow & {
    readonly texts: string | null;
    readonly last_offset: number | null;
  };

/** The columns of an `EndRow` for a page of the operations after one offset, up to another; both are expressions. */
function pageEnd(after: string, last: string): string {
  const before = (column: string) =>
    `(SELECT m.${column} FROM sync_marks m
      WHERE m.instance = $instance AND m.log_offset < ${last} ORDER BY m.log_offset DESC LIMIT 1)`;
  return `${markAt(last)} AS last_mark,
    (SELECT m.log_offset FROM sync_marks m
      WHERE m.instance = $instance AND m.log_offset >= ${last}
      ORDER BY m.log_offset LIMIT 1) AS push_end,
    ${before("log_offset")} AS whole_end, ${before("mark")} AS whole_mark,
    (SELECT count(*) FROM sync_operations o
      WHERE o.instance = $instance AND o.log_offset > ${after} AND o.log_offset <= ${before("log_offset")}) AS whole_count,
    (SELECT o.log_offset FROM sync_operations o
      WHERE o.instance = $instance AND o.log_offset > ${last}
      ORDER BY o.log_offset LIMIT 1) AS next_offset`;
}

const PAGE = `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark,
    p.texts, p.last_offset, ${pageEnd("$1", "p.last_offset")}
  FROM ${MARKED_LOG} CROSS JOIN (
    SELECT ${joinTexts("o.body")} AS texts, max(o.log_offset) AS last_offset
    FROM (SELECT log_offset, body FROM sync_operations
      WHERE instance = $instance AND log_offset > $1 ORDER BY log_offset LIMIT $2) AS o
  ) AS p`;

/** One statement sees one snapshot, which has no operation beyond its head. */
async function readAtOnce(store: Queryable, after: number, limit: number): Promise<LogPage> {
  const [row] = await store.query<PageRow>(PAGE, [after, limit]);
  const page = expectMarkedHead(row);
  const texts = splitTexts(page.texts);
  const { last_offset: last } = page;
  return texts.length === limit && last !== null
    ? toFullPage(page, texts, last, page)
    : toPage(page, texts, endOf(page, after));
}

async function readInTurn(store: Queryable, after: number, limit: number): Promise<LogPage> {
  // The head is read first, so that this page or a later one has every operation up to it.
  const [row] = await store.query<PlaceRow>(
    `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark FROM ${MARKED_LOG}`,
    [after],
  );
  const head = expectMarkedHead(row);
  const rows = await store.query<{ log_offset: number; body: string }>(
    `SELECT log_offset, body FROM sync_operations
     WHERE instance = $instance AND log_offset > $1 AND log_offset <= $2 ORDER BY log_offset LIMIT $3`,
    [after, head.head_offset, limit],
  );
  const texts = rows.map(({ body }) => body);
  const last = rows.at(-1)?.log_offset ?? after;
  if (rows.length < limit || last >= head.head_offset) {
    return toPage(head, texts, endOf(head, after));
  }
  const [end] = await store.query<EndRow>(`SELECT ${pageEnd("$1", "$2")}`, [after, last]);
  if (end === undefined) throw new Error("A statement without a table has a row");
  return toFullPage(head, texts, last, end);
}

/** A push that does not fit whole is left to the next page, unless it is the first: an app sees what belongs together at once. */
function toFullPage(
  row: PlaceRow,
  texts: readonly string[],
  last: number,
  { last_mark: mark, push_end: end, next_offset: next, ...whole }: EndRow,
): LogPage {
  if (mark === null || end === null) throw new Error(`No commit of the log has offset ${last}`);
  const isInside = next !== null && next <= end;
  const { whole_end: wholeEnd, whole_mark: wholeMark, whole_count: count } = whole;
  return isInside && count > 0 && wholeEnd !== null && wholeMark !== null
    ? toPage(row, texts.slice(0, count), { offset: wholeEnd, mark: wholeMark })
    : toPage(row, texts, { offset: last, mark }, isInside);
}

interface Place {
  readonly offset: number;
  readonly mark: string;
}

/** A page that is not full has reached the head, across the gaps of compaction. */
function endOf({ head_offset: headOffset, mark }: MarkedHeadRow, after: number): Place {
  return { offset: Math.max(after, headOffset), mark };
}

function toPage(
  row: PlaceRow,
  texts: readonly string[],
  { offset, mark }: Place,
  endsInside = false,
): LogPage {
  return {
    ...toMarkedHead(row),
    texts,
    lastOffset: offset,
    lastMark: mark,
    afterMark: row.after_mark,
    endsInside,
  };
}
