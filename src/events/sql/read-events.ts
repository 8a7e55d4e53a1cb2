/** Pages of events in SQL. Each is a range of an index, however many events the account has. */
import type { Dialect, Queryable, Row } from "../../database/database.ts";
import { compareFullOrder } from "../../rules/events/wire/full-order.ts";
import { createTextMatcher, hasState } from "../../rules/events/wire/filter-events.ts";
import type { EventPage, EventReader, NamedSource, Source } from "../store.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "./event-rows.ts";
import { joinFirstPage, selectPage } from "./full-order.ts";

interface PageRow extends Row {
  readonly text: string | null;
  readonly has_more: number;
  readonly last_stamp: number | null;
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
  const firstPage = joinFirstPage(dialect);
  const [feeds, withFeeds] =
    dialect === "postgres" ? ["feeds", WITH_FEEDS] : ["events_subscriptions", ""];
  const managedPage = `${withFeeds} SELECT e.*, ${ofSource("kind", "events_sources")} AS source_kind,
      COALESCE(${ofSource("name", feeds)}, ${ofSource("name", "events_sources")}) AS source_name
    FROM (${selectPage(EVENT_COLUMNS, dialect)}) AS e`;
  const namedSources = `${withFeeds} SELECT e.source_id, e.kind,
      COALESCE(${ofSource("name", feeds)}, e.name) AS name
    FROM events_sources e WHERE e.account_id = $1`;
  return {
    async listAll(...params) {
      const [row] = await store.query<PageRow>(firstPage, params);
      const page = toPage(row);
      return page.hasMore ? { ...page, lastStamp: null } : page;
    },
    async listChanges(accountId, since, limit, includeDeleted) {
      const changes = includeDeleted ? CHANGES : LIVE_CHANGES;
      const [row] = await store.query<PageRow>(changes, [accountId, since, limit]);
      return toPage(row);
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
    async searchManaged(accountId, upcomingFrom, filter, offset, limit) {
      const { sourceId, state } = filter;
      const rows = await store.query<EventRow>(LIVE_EVENTS, [accountId]);
      const matches = createTextMatcher(filter.text);
      const found = rows
        .filter((row) => sourceId === null || row.source_id === sourceId)
        .filter(({ date_at: dateAt }) => hasState(dateAt, state, upcomingFrom))
        .map(rowToEvent)
        .filter(({ title, subjectName }) => matches([title, subjectName]))
        .sort((a, b) => compareFullOrder(a, b, upcomingFrom));
      const sources = new Map((await listSources(accountId)).map((each) => [each.sourceId, each]));
      const events = found.slice(offset, offset + limit).map((event) => {
        const { kind: sourceKind = "file", name: sourceName = "" } =
          sources.get(event.sourceId) ?? {};
        return { ...event, sourceKind, sourceName };
      });
      return { events, total: found.length };
    },
    listSources,
  };

  async function listSources(accountId: string): Promise<NamedSource[]> {
    const rows = await store.query<{ source_id: string; kind: Source["kind"]; name: string }>(
      namedSources,
      [accountId],
    );
    return rows
      .map(({ source_id: sourceId, kind, name }) => ({ sourceId, kind, name }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }
}

const LIVE_EVENTS = `SELECT ${EVENT_COLUMNS} FROM events_entries e
  WHERE e.account_id = $1 AND e.updated_at >= 0 AND e.deleted_at IS NULL ORDER BY e.updated_at`;

/** An account's few feeds come first: by a feed's key PostgreSQL would have two indexes to choose from. */
const WITH_FEEDS = `WITH feeds AS MATERIALIZED (
  SELECT source_id, name FROM events_subscriptions WHERE account_id = $1)`;

const ofSource = (column: string, table: string) =>
  `(SELECT s.${column} FROM ${table} s WHERE s.source_id = e.source_id)`;

/** PostgreSQL would read every event of the account for an EXISTS: without an order it plans for an empty table. */
function joinChanges(condition: string): string {
  const changed = `FROM events_entries e WHERE e.account_id = $1 ${condition} AND e.updated_at`;
  return `SELECT page.text, page.last_stamp,
      (SELECT count(*) FROM (SELECT 1 AS one ${changed} > page.last_stamp
        ORDER BY e.updated_at LIMIT 1) AS next) AS has_more
    FROM (SELECT string_agg(t.wire, ',') AS text, max(t.updated_at) AS last_stamp
      FROM (SELECT e.wire, e.updated_at ${changed} >= $2 ORDER BY e.updated_at LIMIT $3) AS t) AS page`;
}

const CHANGES = joinChanges("");
const LIVE_CHANGES = joinChanges("AND e.deleted_at IS NULL");

/** UNION ALL promises no order. */
function inFullOrder<T extends OrderedRow>(rows: readonly T[], upcomingFrom: number): T[] {
  return rows
    .map((row) => ({ row, eventId: row.event_id, dateAt: row.date_at }))
    .sort((a, b) => compareFullOrder(a, b, upcomingFrom))
    .map(({ row }) => row);
}

function toPage(row: PageRow | undefined): EventPage {
  return {
    text: row?.text ?? "",
    hasMore: row?.has_more === 1,
    lastStamp: row?.last_stamp ?? null,
  };
}
