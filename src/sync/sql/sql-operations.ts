/** The operations of the log: how they are appended, and read in pages and as a snapshot. */
import type { Database, Queryable, Row } from "../../database/database.ts";
import type { LogPage, OperationStore } from "../store.ts";
import { createAppender } from "./group-pushes.ts";
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

interface PlaceRow extends MarkedHeadRow {
  readonly after_mark: string | null;
  readonly last_offset: number;
  readonly last_mark: string;
  readonly ends_inside: number;
}

interface TextRow extends Row {
  readonly text: string | null;
  readonly count: number;
}

/** The operations in a range of offsets, whose bounds are expressions. */
const between = (after: string, last: string) => `FROM sync_operations o
  WHERE o.instance = $instance AND o.log_offset > ${after} AND o.log_offset <= ${last}`;

const endOfPush = (comparison: string, order: "ASC" | "DESC") =>
  `(SELECT m.log_offset FROM sync_marks m WHERE m.instance = $instance AND m.log_offset ${comparison}
    ORDER BY m.log_offset ${order} LIMIT 1)`;

/** A page that is not full has reached the head, across the gaps of compaction. */
const PAGE_END = "CASE WHEN page_end IS NULL THEN l.head_offset ELSE page_end END";

/**
 * The head, and where the page of `$2` operations after `$1` ends. A push that does not fit whole is left to the
 * next page, unless it is the first: an app sees what belongs together at once.
 */
const PLACE = `WITH longest AS MATERIALIZED (
    SELECT (SELECT o.log_offset FROM sync_operations o WHERE o.instance = $instance AND o.log_offset > $1
      ORDER BY o.log_offset LIMIT 1 OFFSET $2 - 1) AS full_end),
  pushes AS MATERIALIZED (
    SELECT full_end, ${endOfPush(">= full_end", "ASC")} AS push_end, ${endOfPush("< full_end", "DESC")} AS whole_end
    FROM longest),
  cuts AS MATERIALIZED (
    SELECT full_end, whole_end,
      CASE WHEN EXISTS (SELECT 1 ${between("full_end", "push_end")}) THEN 1 ELSE 0 END AS is_inside,
      CASE WHEN EXISTS (SELECT 1 ${between("$1", "whole_end")}) THEN 1 ELSE 0 END AS has_whole
    FROM pushes),
  place AS MATERIALIZED (
    SELECT CASE WHEN is_inside = 1 AND has_whole = 1 THEN whole_end ELSE full_end END AS page_end,
      is_inside * (1 - has_whole) AS ends_inside
    FROM cuts)
  SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark,
    ${PAGE_END} AS last_offset, ${markAt(PAGE_END)} AS last_mark, ends_inside
  FROM ${MARKED_LOG} CROSS JOIN place`;

/**
 * The operations as one value: SQLite, PostgreSQL and their clients need a fraction of the time that a row for each
 * takes. SQLite keeps the order of a sorted subquery too, which it does not merge with an aggregate.
 */
const joinedTexts = (last: string) => `SELECT string_agg(t.body, ',') AS text, count(*) AS count
  FROM (SELECT o.body ${between("$1", last)} ORDER BY o.log_offset) AS t`;

const PAGE = `SELECT * FROM (${PLACE}) AS place
  CROSS JOIN LATERAL (${joinedTexts("place.last_offset")}) AS page`;

const TEXTS = joinedTexts("$2");

/** Each page has its head. PostgreSQL reads both in one round trip; SQLite has none, and no lateral join. */
function createPageReader(database: Database): OperationStore["page"] {
  const read = database.dialect === "postgres" ? readAtOnce : readInTurn;
  return (after, limit) => read(database, after, limit);
}

/** One statement sees one snapshot, which has no operation beyond its head. */
async function readAtOnce(store: Queryable, after: number, limit: number): Promise<LogPage> {
  const [row] = await store.query<PlaceRow & TextRow>(PAGE, [after, limit]);
  const page = expectMarkedHead(row);
  return toPage(page, page, after);
}

/** The head is read first, so that this page or a later one has every operation up to it. */
async function readInTurn(store: Queryable, after: number, limit: number): Promise<LogPage> {
  const [row] = await store.query<PlaceRow>(PLACE, [after, limit]);
  const place = expectMarkedHead(row);
  const [texts] = await store.query<TextRow>(TEXTS, [after, place.last_offset]);
  return toPage(place, texts, after);
}

function toPage(place: PlaceRow, texts: TextRow | undefined, after: number): LogPage {
  const head = toMarkedHead(place);
  return {
    ...head,
    text: texts?.text ?? "",
    count: texts?.count ?? 0,
    lastOffset: Math.max(after, place.last_offset),
    lastMark: place.last_mark,
    afterMark: place.after_mark,
    endsInside: place.ends_inside === 1,
  };
}
