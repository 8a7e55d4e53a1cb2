/**
 * How far each device has pulled, for its operator. A pull only reads, so its offset is kept in memory and
 * written with those of other devices, a while later and in one statement.
 */
import { StorageUnavailableError, type Database, type Queryable } from "../../database/database.ts";

export type PulledOffsets = ReturnType<typeof createPulledOffsets>;

const FLUSH_MS = 15_000;

export function createPulledOffsets(database: Pick<Database, "transaction">) {
  let noted = new Map<string, number>();

  /** Writes what was noted; while the store is away it stays noted. */
  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const written = noted;
    noted = new Map();
    try {
      await database.transaction((tx) => writeOffsets(tx, written));
    } catch (error) {
      // Offsets that were noted during the write are newer than those that could not be written.
      noted = new Map([...written, ...noted]);
      if (!(error instanceof StorageUnavailableError)) throw error;
    }
  }

  // An error shows when an operator asks, and is no reason to end the server.
  const flushQuietly = () => flush().catch(() => {});
  const timer = setInterval(() => void flushQuietly(), FLUSH_MS).unref();
  return {
    note: (family: string, offset: number): void => void noted.set(family, offset),
    flush,
    /** Writes the noted offsets for the last time. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flushQuietly();
    },
  };
}

async function writeOffsets(tx: Queryable, offsets: ReadonlyMap<string, number>): Promise<void> {
  await tx.queryRows(
    `UPDATE sync_sessions SET pulled_offset = r.pulled_offset FROM {rows} AS r
     WHERE sync_sessions.instance = $instance AND sync_sessions.family = r.family`,
    { columns: { family: "text", pulled_offset: "integer" }, rows: [...offsets] },
  );
}

/**
 * How many operations each device whose pull was noted is behind the head, the furthest first. Offsets are
 * counted, those of operations that compaction has removed included.
 */
export async function readDeviceLags(store: Queryable, now: number): Promise<number[]> {
  const rows = await store.query<{ lag: number }>(
    `SELECT l.head_offset - s.pulled_offset AS lag FROM sync_sessions s JOIN sync_log l ON l.instance = s.instance AND l.id = 1
     WHERE s.instance = $instance AND s.pulled_offset IS NOT NULL AND s.idle_expires_at > $1
       AND s.absolute_expires_at > $1
     ORDER BY lag DESC`,
    [now],
  );
  // The head of a store that was rolled back may be below what a device has.
  return rows.map(({ lag }) => Math.max(0, lag));
}
