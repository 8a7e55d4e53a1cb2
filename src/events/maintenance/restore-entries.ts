/** The events of one account out of a backup, with new stamps. */
import type { Database, Queryable } from "../../database/database.ts";
import type { StoredEvent } from "../store.ts";
import { putCounter, putEvents, readCounter, readPresent } from "../sql/entry-statements.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "../sql/stored-event.ts";

const BATCH_ROWS = 500;

/**
 * First what the store has beyond the backup becomes a tombstone, then comes what the backup has, in
 * the order it had there. Answers how many tombstones were made.
 */
export async function restoreEntries(
  tx: Queryable,
  contents: Database,
  accountId: string,
  now: number,
): Promise<number> {
  const { lastStamp: presentStamp } = await readCounter(tx, accountId);
  const { lastStamp: restoredStamp, liveCount } = await readCounter(contents, accountId);
  let stamp = Math.max(now - 1, presentStamp, restoredStamp);
  const writeAll = async (events: readonly StoredEvent[]) =>
    putEvents(
      tx,
      accountId,
      events.map((event) => ({ ...event, updatedAt: ++stamp })),
    );
  let deleted = 0;
  for await (const batch of liveBatches(tx, accountId)) {
    const kept = await readPresent(contents, accountId, new Set(batch.map(toId)));
    const gone = batch.filter(({ eventId }) => !kept.has(eventId));
    await writeAll(gone.map((event) => ({ ...event, deletedAt: now, missing: 0 })));
    deleted += gone.length;
  }
  let batch: StoredEvent[] = [];
  const rows = contents.stream<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events_entries e WHERE e.account_id = $1 ORDER BY e.updated_at`,
    [accountId],
  );
  for await (const row of rows) {
    batch.push(rowToEvent(row));
    if (batch.length < BATCH_ROWS) continue;
    await writeAll(batch);
    batch = [];
  }
  await writeAll(batch);
  await putCounter(tx, accountId, stamp, liveCount);
  return deleted;
}

/** What is live in the store, in the order of the stamps; what is written meanwhile comes later. */
async function* liveBatches(tx: Queryable, accountId: string): AsyncGenerator<StoredEvent[]> {
  const { lastStamp: end } = await readCounter(tx, accountId);
  for (let after = -1; ;) {
    const rows = await tx.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events_entries e
       WHERE e.account_id = $1 AND e.updated_at > $2 AND e.updated_at <= $3
         AND e.deleted_at IS NULL ORDER BY e.updated_at LIMIT $4`,
      [accountId, after, end, BATCH_ROWS],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(rowToEvent);
    after = last.updated_at;
  }
}

function toId({ eventId }: StoredEvent): string {
  return eventId;
}
