/** The generations of the log: a first one, and a new one when the store was rolled back; and its history. */
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { deleteRows } from "../../database/instance-parameter.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { joinClocks } from "../../rules/sync/log-clock.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import type { LogHead, LogRecords } from "../store.ts";
import { markHead, readHead, writeClock, type StoredHead } from "./log-head.ts";

const GENERATION_BYTES = 16;

/** The generation, the head and the clock that were last seen of a log. */
export type HighWater = Omit<StoredHead, "compactionFloor">;

export interface PreparedLog {
  readonly head: StoredHead;
  /** Whether the store was behind its high-water mark, so that a new generation began. */
  readonly wasRolledBack: boolean;
}

export async function prepareLog(database: Database, mark: HighWater | null): Promise<PreparedLog> {
  return database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO sync_log (instance, id, generation, head_offset, compaction_floor)
       VALUES ($instance, 1, $1, 0, 0) ON CONFLICT (instance, id) DO NOTHING`,
      [createGeneration()],
    );
    await markHead(tx);
    const head = await readHead(tx);
    if (mark === null || !(await isOlder(tx, head, mark))) return { head, wasRolledBack: false };
    return { head: await beginGeneration(tx, [mark]), wasRolledBack: true };
  });
}

/** Whether the store is behind its high-water mark. Changes nothing. */
export async function isRolledBack(store: Queryable, mark: HighWater | null): Promise<boolean> {
  return mark !== null && isOlder(store, await readHead(store), mark);
}

/**
 * In one generation, the smaller head is the older. A mark of an earlier generation is older than the
 * log; one of an unknown generation is newer, so the log was rolled back to before it.
 */
async function isOlder(tx: Queryable, head: LogHead, mark: HighWater): Promise<boolean> {
  if (mark.generation === head.generation) return mark.headOffset > head.headOffset;
  const known = await tx.query(
    "SELECT generation FROM sync_generations WHERE instance = $instance AND generation = $1",
    [mark.generation],
  );
  return known.length === 0;
}

/**
 * Begins a new generation, in which no offset of this log or of the replaced logs is reused, and whose
 * clock goes on from theirs.
 */
export async function beginGeneration(
  tx: Queryable,
  replaced: readonly HighWater[],
): Promise<StoredHead> {
  const ended = [await readHead(tx), ...replaced];
  for (const { generation, headOffset } of ended) {
    await tx.query(
      `INSERT INTO sync_generations (instance, generation, head_offset) VALUES ($instance, $1, $2)
       ON CONFLICT (instance, generation) DO NOTHING`,
      [generation, headOffset],
    );
  }
  await tx.query(
    "UPDATE sync_log SET generation = $1, head_offset = $2 WHERE instance = $instance AND id = 1",
    [createGeneration(), Math.max(...ended.map(({ headOffset }) => headOffset))],
  );
  await writeClock(tx, joinClocks(ended.map(({ clock }) => clock)));
  // Cursors of the ended generations are refused by their generation; the marks tell where pushes end.
  await markHead(tx);
  return readHead(tx);
}

function createGeneration(): string {
  return encodeBase64Url(randomBytes(GENERATION_BYTES));
}

/** What `clear` empties. The log itself goes on, in a new generation. */
const CLEARED = [
  "sync_operations",
  "sync_ledger",
  "sync_entities",
  "sync_marks",
  "sync_days",
  "sync_keys",
];

/** `onGeneration` gets the head of a new generation, and whether the log was cleared. */
export function createSqlLogRecords(
  tx: Transaction,
  onGeneration: (head: StoredHead, isCleared: boolean) => void,
): LogRecords {
  return {
    async readHistory() {
      const [row] = await tx.query<{ history: string | null }>(
        "SELECT history FROM sync_log WHERE instance = $instance AND id = 1",
      );
      return row?.history ?? null;
    },
    async nameHistory(name) {
      await tx.query("UPDATE sync_log SET history = $1 WHERE instance = $instance AND id = 1", [
        name,
      ]);
    },
    async beginGeneration() {
      // The high-water file was rolled back with the store: nothing tells how far the clocks of devices are.
      const { clock } = await readHead(tx);
      await writeClock(tx, { ...clock, takesAnySequence: true });
      onGeneration(await beginGeneration(tx, []), false);
    },
    async clear() {
      // A script has no statement timeout, which a long log would exceed.
      await tx.script(deleteRows(CLEARED));
      await tx.query(
        "UPDATE sync_log SET history = NULL, is_cleared = 1 WHERE instance = $instance AND id = 1",
      );
      onGeneration(await beginGeneration(tx, []), true);
    },
  };
}
