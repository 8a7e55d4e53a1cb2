/** Pages of events in SQL. Each is a range of an index, however many events the account has. */
import type { Dialect, Queryable, Row } from "../../database/database.ts";
import { splitTexts } from "../../database/joined-texts.ts";
import { compareFullOrder } from "../../rules/events/wire/full-order.ts";
import { createTextMatcher, hasState } from "../../rules/events/wire/filter-events.ts";
import type { EventPage, EventReader, NamedSource, Source } from "../store.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "./event-rows.ts";
import { joinFirstPage, selectFullPage } from "./full-order.ts";

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
  // SQLite has no round trips, and reads rows faster than joined texts.
  const listAll = dialect === "postgres" ? listAllAtOnce : listAllInRows;
  const [feeds, withFeeds] =
    dialect === "postgres" ? ["feeds", WITH_FEEDS] : ["events_subscriptions", ""];
  const managedPage = `${withFeeds} SELECT e.*, ${ofSource("kind", "events_sources")} AS source_kind,
      COALESCE(${ofSource("name", feeds)}, ${ofSource("name", "events_sources")}) AS source_name
    FROM (${selectFullPage(EVENT_COLUMNS, dialect, "any")}) AS e`;
  const namedSources = `${withFeeds} SELECT e.source_id, e.kind,
      COALESCE(${ofSource("name", feeds)}, e.name) AS name
    FROM events_sources e WHERE e.account_id = $1`;
  return {
    listAll: (accountId, upcomingFrom, limit) => listAll(store, accountId, upcomingFrom, limit),
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

const FIRST_PAGE = joinFirstPage();
const FIRST_ROWS = selectFullPage("e.event_id, e.date_at, e.wire, e.updated_at", "sqlite", "first");

const LIVE_CHANGES = `SELECT e.wire, e.updated_at FROM events_entries e
  WHERE e.account_id = $1 AND e.updated_at >= $2 AND e.deleted_at IS NULL
  ORDER BY e.updated_at LIMIT $3`;

const CHANGES = `SELECT e.wire, e.updated_at FROM events_entries e
  WHERE e.account_id = $1 AND e.updated_at >= $2 ORDER BY e.updated_at LIMIT $3`;

interface JoinedRow extends Row {
  readonly upcoming: string | null;
  readonly past: string | null;
  readonly undated: string | null;
  readonly last_stamp: number | null;
}

async function listAllAtOnce(
  store: Queryable,
  accountId: string,
  upcomingFrom: number,
  limit: number,
): Promise<EventPage> {
  const [row] = await store.query<JoinedRow>(FIRST_PAGE, [accountId, upcomingFrom, limit + 1]);
  const { upcoming = null, past = null, undated = null, last_stamp: lastStamp = null } = row ?? {};
  const texts = [upcoming, past, undated].flatMap(splitTexts);
  const hasMore = texts.length > limit;
  return { texts: texts.slice(0, limit), hasMore, lastStamp: hasMore ? null : lastStamp };
}

async function listAllInRows(
  store: Queryable,
  accountId: string,
  upcomingFrom: number,
  limit: number,
): Promise<EventPage> {
  const params = [accountId, upcomingFrom, limit + 1];
  const rows = await store.query<OrderedRow & PageRow>(FIRST_ROWS, params);
  const page = toPage(inFullOrder(rows, upcomingFrom), limit);
  return { ...page, lastStamp: page.hasMore ? null : page.lastStamp };
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
