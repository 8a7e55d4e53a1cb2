/** The statements that write events, for any number of rows. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Queryable } from "../../database/database.ts";
import type { StoredEvent } from "../store.ts";
import { EVENT_COLUMNS, eventToValues, rowToEvent, type EventRow } from "./stored-event.ts";

/** Between two batches others have their turn: an import of thousands holds no reader up. */
const BATCH_ROWS = 500;

export async function readPresent(
  tx: Queryable,
  accountId: string,
  eventIds: ReadonlySet<string>,
): Promise<Map<string, StoredEvent>> {
  const present = new Map<string, StoredEvent>();
  await inBatches([...eventIds], async (batch) => {
    // The account is a column like any other here: as a constant it would have PostgreSQL read
    // everything of the account for each batch.
    const rows = await tx.queryRows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM {rows} AS r
       JOIN events_entries e ON e.account_id = r.account_id AND e.event_id = r.event_id`,
      {
        columns: { account_id: "text", event_id: "text" },
        rows: batch.map((eventId) => [accountId, eventId]),
      },
    );
    for (const row of rows) present.set(row.event_id, rowToEvent(row));
  });
  return present;
}

export async function putEvents(
  tx: Queryable,
  accountId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  await tx.queryRows(
    `INSERT INTO events_entries
       (account_id, event_id, source_id, wire, date_at, updated_at, deleted_at, missing)
     SELECT $1, r.event_id, r.source_id, r.wire, r.date_at, r.updated_at, r.deleted_at, r.missing
     FROM {rows} AS r WHERE true
     ON CONFLICT (account_id, event_id) DO UPDATE SET source_id = excluded.source_id,
       wire = excluded.wire, date_at = excluded.date_at, updated_at = excluded.updated_at,
       deleted_at = excluded.deleted_at, missing = excluded.missing`,
    {
      columns: {
        event_id: "text",
        source_id: "text",
        wire: "text",
        date_at: "integer",
        updated_at: "integer",
        deleted_at: "integer",
        missing: "integer",
      },
      rows: events.map(eventToValues),
    },
    [accountId],
  );
}

export async function putMissing(
  tx: Queryable,
  accountId: string,
  counts: readonly (readonly [string, number])[],
): Promise<void> {
  await tx.queryRows(
    `UPDATE events_entries SET missing = r.missing FROM {rows} AS r
     WHERE events_entries.account_id = r.account_id AND events_entries.event_id = r.event_id`,
    {
      columns: { account_id: "text", event_id: "text", missing: "integer" },
      rows: counts.map(([eventId, missing]) => [accountId, eventId, missing]),
    },
  );
}

export interface Counter {
  readonly lastStamp: number;
  readonly liveCount: number;
}

export async function readCounter(tx: Queryable, accountId: string): Promise<Counter> {
  const [row] = await tx.query<{ last_stamp: number; live_count: number }>(
    "SELECT last_stamp, live_count FROM events_counters WHERE account_id = $1",
    [accountId],
  );
  return { lastStamp: row?.last_stamp ?? 0, liveCount: row?.live_count ?? 0 };
}

export async function putCounter(
  tx: Queryable,
  accountId: string,
  lastStamp: number,
  liveCount: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO events_counters (account_id, last_stamp, live_count) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET last_stamp = excluded.last_stamp,
       live_count = excluded.live_count`,
    [accountId, lastStamp, liveCount],
  );
}

/** Many may end at once, and writers wait for one batch only. */
export async function pruneSqlTombstones(database: Database, deletedUntil: number): Promise<void> {
  for (let removed = BATCH_ROWS; removed === BATCH_ROWS;) {
    const rows = await database.transaction((tx) =>
      tx.query(
        `DELETE FROM events_entries WHERE (account_id, event_id) IN (
         SELECT account_id, event_id FROM events_entries WHERE deleted_at <= $1
         ORDER BY deleted_at LIMIT $2
       ) RETURNING event_id`,
        [deletedUntil, BATCH_ROWS],
      ),
    );
    removed = rows.length;
  }
}

export async function inBatches<T>(
  items: readonly T[],
  run: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_ROWS) {
    if (start > 0) await nextTurn();
    await run(items.slice(start, start + BATCH_ROWS));
  }
}
