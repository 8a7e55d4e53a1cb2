/** Fills new stores by SQL. */
import postgres from "postgres";
import { eventToValues } from "../../src/events/sql/event-rows.ts";
import type { StoredEvent } from "../../src/events/store.ts";
import { fillFile } from "../fill-file.ts";
import { fillDatabase } from "../postgres-server.ts";

export function fillSqlite(
  path: string,
  accountId: string,
  sourceId: string,
  events: readonly StoredEvent[],
): void {
  fillFile(path, (handle) => {
    handle
      .prepare("insert into events_sources values (1, ?, ?, 'file', 'planner', 0)")
      .run(sourceId, accountId);
    const insert = handle.prepare(
      `insert into events_entries (account_id, event_id, source_id, wire, date_at, updated_at,
         deleted_at, missing) values (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const event of events) insert.run(accountId, ...eventToValues(event));
    const { lastStamp, live } = countersOf(events);
    handle
      .prepare("insert into events_counters values (1, ?, ?, ?)")
      .run(accountId, lastStamp, live);
  });
}

function countersOf(events: readonly StoredEvent[]) {
  return {
    live: events.filter(({ deletedAt }) => deletedAt === null).length,
    lastStamp: events.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0),
  };
}

/** A database of PostgreSQL, by statements over arrays. */
export async function fillPostgres(
  address: string,
  accountId: string,
  sourceId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  await fillDatabase(
    address,
    events,
    async (sql, batch) => {
      const column = columnsOf(batch.map(eventToValues));
      await sql`insert into events_entries (account_id, event_id, source_id, wire, date_at,
          updated_at, deleted_at, missing)
        select ${accountId}::text, * from unnest(${column(0)}::text[], ${column(1)}::text[],
          ${column(2)}::text[], ${column(3)}::bigint[], ${column(4)}::bigint[],
          ${column(5)}::bigint[], ${column(6)}::bigint[])`;
    },
    async (sql) => {
      const { lastStamp, live } = countersOf(events);
      await sql`insert into events_sources values (1, ${sourceId}, ${accountId}, 'file', 'planner', 0)`;
      await sql`insert into events_counters values (1, ${accountId}, ${lastStamp}, ${live})`;
    },
  );
}

/** The library sends arrays as text. */
function columnsOf(rows: readonly (readonly unknown[])[]): (index: number) => (string | null)[] {
  return (index) =>
    rows.map((row) => {
      const value = row[index];
      return typeof value === "string" || typeof value === "number" ? String(value) : null;
    });
}

/** The plain design of the baseline: a column for each of the six members. */
const PLAIN_TABLES = `
  create table plain_events (account_id text not null, id text not null, type text not null,
    subject_name text, title text, date text, created_at text, updated_at bigint not null,
    is_deleted integer not null, primary key (account_id, id));
  create index plain_changes on plain_events (account_id, is_deleted, updated_at);
  create index plain_dates on plain_events (account_id, is_deleted, date);
  create table plain_tokens (code text not null primary key, token text);
`;

function plainValues(event: StoredEvent) {
  return [
    event.eventId,
    event.type,
    event.subjectName,
    event.title,
    event.date,
    event.createdAt,
    event.updatedAt,
    event.deletedAt === null ? 0 : 1,
  ];
}

export async function fillPlainPostgres(
  address: string,
  accountId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  const sql = postgres(address, { max: 1 });
  await sql.unsafe(PLAIN_TABLES);
  await sql.end();
  await fillDatabase(
    address,
    events,
    async (client, batch) => {
      const column = columnsOf(batch.map(plainValues));
      await client`insert into plain_events select ${accountId}::text, * from unnest(
        ${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[],
        ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::bigint[],
        ${column(7)}::integer[])`;
    },
    async () => {},
  );
}

export function fillPlainSqlite(
  path: string,
  accountId: string,
  events: readonly StoredEvent[],
): void {
  fillFile(path, (handle) => {
    handle.exec(PLAIN_TABLES);
    const insert = handle.prepare("insert into plain_events values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const event of events) insert.run(accountId, ...plainValues(event));
  });
}
