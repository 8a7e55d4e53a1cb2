/** Pages of events in SQL. Each is a range of an index, however many events the account has. */
import type { Dialect, Queryable, Row } from "../../database/database.ts";
import { compareFullOrder } from "../../rules/events/wire/full-order.ts";
import type { EventPage, EventReader, Source } from "../store.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "./event-rows.ts";

interface PageRow extends Row {
  readonly wire: string;
  readonly updated_at: number;
}

interface OrderedRow extends Row {
  readonly event_id: string;
  readonly date_at: number | null;
}

interface ManagedRow extends EventRow {
  readonly source_kind: Source["kind"];
  readonly source_name: string;
}

export function createSqlEventReader(store: Queryable, dialect: Dialect): EventReader {
  const fullPage = selectFullPage("e.event_id, e.date_at, e.wire, e.updated_at", dialect, "first");
  const managedPage = `SELECT e.*, s.kind AS source_kind, COALESCE(f.name, s.name) AS source_name
    FROM (${selectFullPage(EVENT_COLUMNS, dialect, "any")}) AS e
    JOIN events_sources s ON s.source_id = e.source_id
    LEFT JOIN events_subscriptions f ON f.source_id = e.source_id`;
  return {
    async listAll(accountId, upcomingFrom, limit) {
      const params = [accountId, upcomingFrom, limit + 1];
      const rows = await store.query<OrderedRow & PageRow>(fullPage, params);
      return toPage(inFullOrder(rows, upcomingFrom), limit);
    },
    async listChanges(accountId, since, limit, includeDeleted) {
      const rows = await store.query<PageRow>(includeDeleted ? CHANGES : LIVE_CHANGES, [
        accountId,
        since,
        limit + 1,
      ]);
      return toPage(rows, limit);
    },
    async listManaged(accountId, upcomingFrom, offset, limit) {
      const params = [accountId, upcomingFrom, limit, offset];
      const rows = await store.query<ManagedRow>(managedPage, params);
      const [counter] = await store.query<{ live_count: number }>(
        "SELECT live_count FROM events_counters WHERE account_id = $1",
        [accountId],
      );
      const events = inFullOrder(rows, upcomingFrom).map((row) => ({
        ...rowToEvent(row),
        sourceKind: row.source_kind,
        sourceName: row.source_name,
      }));
      return { events, total: counter?.live_count ?? 0 };
    },
  };
}

const LIVE_CHANGES = `SELECT e.wire, e.updated_at FROM events_entries e
  WHERE e.account_id = $1 AND e.updated_at >= $2 AND e.deleted_at IS NULL
  ORDER BY e.updated_at LIMIT $3`;

const CHANGES = `SELECT e.wire, e.updated_at FROM events_entries e
  WHERE e.account_id = $1 AND e.updated_at >= $2 ORDER BY e.updated_at LIMIT $3`;

interface Part {
  readonly where: string;
  readonly order: string;
}

/**
 * The rows of one page of the full order, unsorted. One statement, so that it sees one snapshot.
 * `$1` is the account, `$2` the time from which on events are upcoming, `$3` the limit, `$4` the
 * offset of any page but the first, which skips nothing. Limit and offset of each part depend on the
 * sizes of the parts before it, which are counted in the index, no further than the page reaches.
 */
function selectFullPage(columns: string, dialect: Dialect, page: "first" | "any"): string {
  const id = dialect === "postgres" ? 'e.event_id COLLATE "C"' : "e.event_id";
  const upcoming: Part = { where: "e.date_at >= $2", order: `e.date_at, ${id}` };
  const past: Part = { where: "e.date_at < $2", order: `e.date_at DESC, ${id} DESC` };
  const undated: Part = { where: "e.date_at IS NULL", order: id };
  const from = ({ where }: Part) =>
    `FROM events_entries e WHERE e.account_id = $1 AND e.deleted_at IS NULL AND ${where}`;
  // Without an order PostgreSQL would read the whole table, because it plans without the limit.
  const countUpTo = (part: Part, limit: string) =>
    `(SELECT count(*) AS size FROM
      (SELECT 1 AS one ${from(part)} ORDER BY ${part.order} LIMIT ${limit}) AS counted)`;
  const read = (name: string, part: Part, limit: string, offset: string) =>
    `SELECT * FROM (SELECT ${columns} ${from(part)}
     ORDER BY ${part.order} LIMIT ${limit} OFFSET ${offset}) AS ${name}`;
  const size = (name: string) => `(SELECT size FROM ${name})`;
  // The first page skips nothing, and need not count it: each part of a statement takes its planning.
  const isFirst = page === "first";
  const offset = isFirst ? "0" : "$4";
  const skipped = (name: string) => (isFirst ? "0" : size(`${name}_skipped`));
  const pastOffset = `${offset} - ${skipped("upcoming")}`;
  const pastLimit = `$3 + ${skipped("upcoming")} - ${size("upcoming_reached")}`;
  const undatedOffset = `${pastOffset} - ${skipped("past")}`;
  const undatedLimit = `${pastLimit} + ${skipped("past")} - ${size("past_reached")}`;
  const skips = `upcoming_skipped AS ${countUpTo(upcoming, offset)},
    past_skipped AS ${countUpTo(past, pastOffset)},`;
  return `WITH ${isFirst ? "" : skips}
    upcoming_reached AS ${countUpTo(upcoming, `${offset} + $3`)},
    past_reached AS ${countUpTo(past, `${pastOffset} + ${pastLimit}`)}
    ${read("upcoming", upcoming, "$3", offset)}
    UNION ALL ${read("past", past, pastLimit, pastOffset)}
    UNION ALL ${read("undated", undated, undatedLimit, undatedOffset)}`;
}

/** UNION ALL promises no order. */
function inFullOrder<T extends OrderedRow>(rows: readonly T[], upcomingFrom: number): T[] {
  return rows
    .map((row) => ({ row, eventId: row.event_id, dateAt: row.date_at }))
    .sort((a, b) => compareFullOrder(a, b, upcomingFrom))
    .map(({ row }) => row);
}

function toPage(rows: readonly PageRow[], limit: number): EventPage {
  const shown = rows.slice(0, limit);
  return {
    texts: shown.map(({ wire }) => wire),
    hasMore: rows.length > limit,
    lastStamp: shown.reduce<number | null>(
      (last, { updated_at: stamp }) => Math.max(last ?? stamp, stamp),
      null,
    ),
  };
}
