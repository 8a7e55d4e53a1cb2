/** Fills new stores by SQL, without waiting for the disk. */
import { DatabaseSync } from "node:sqlite";
import { eventToValues } from "../../src/events/sql/event-rows.ts";
import type { StoredEvent } from "../../src/events/store.ts";

/** As an import into the source would have, after the store was made with its account. */
export function fillStore(
  path: string,
  accountId: string,
  sourceId: string,
  events: readonly StoredEvent[],
): void {
  const handle = openQuickly(path);
  handle
    .prepare("insert into events_sources values (?, ?, 'file', 'planner', 0)")
    .run(sourceId, accountId);
  const insert = handle.prepare(
    `insert into events_entries (account_id, event_id, source_id, wire, date_at, updated_at,
       deleted_at, missing) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const event of events) {
    insert.run(accountId, ...eventToValues(event));
  }
  const live = events.filter(({ deletedAt }) => deletedAt === null).length;
  const lastStamp = events.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0);
  handle.prepare("insert into events_counters values (?, ?, ?)").run(accountId, lastStamp, live);
  closeDurably(handle);
}

/** The plain design of the baseline: a column for each of the six members. */
export function fillPlainStore(
  path: string,
  accountId: string,
  events: readonly StoredEvent[],
): void {
  const handle = openQuickly(path);
  handle.exec(
    `create table plain_events (account_id text not null, id text not null, type text not null,
       subject_name text, title text, date text, created_at text, updated_at integer not null,
       is_deleted integer not null, primary key (account_id, id));
     create index plain_changes on plain_events (account_id, is_deleted, updated_at);
     create index plain_dates on plain_events (account_id, is_deleted, date);
     create table plain_tokens (code text not null primary key, token text)`,
  );
  const insert = handle.prepare("insert into plain_events values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const event of events) {
    insert.run(
      accountId,
      event.eventId,
      event.type,
      event.subjectName,
      event.title,
      event.date,
      event.createdAt,
      event.updatedAt,
      event.deletedAt === null ? 0 : 1,
    );
  }
  closeDurably(handle);
}

function openQuickly(path: string): DatabaseSync {
  const handle = new DatabaseSync(path);
  handle.exec(
    "pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144; begin",
  );
  return handle;
}

function closeDurably(handle: DatabaseSync): void {
  handle.exec("commit; pragma wal_checkpoint(truncate)");
  handle.close();
}
