import { readUsedBytes } from "../../database/disk-space.ts";
import type { Database, Row } from "../../database/database.ts";

/** What a row takes beside its text: its head, its key, and its entries in indexes. */
const ROW_BYTES = 200;
/** What an instance takes before its first push: its account, its devices, and their entries in indexes. */
const EMPTY_BYTES = 16_384;

/** The sizes of texts as they are stored, which are in their rows: no text is read. */
const MEASURE = `SELECT CAST(
    (SELECT coalesce(sum(pg_column_size(o.body) + ${ROW_BYTES}), 0) FROM sync_operations o
     WHERE o.instance = $instance)
    + (SELECT coalesce(sum(pg_column_size(e.state) + ${ROW_BYTES}), 0) FROM sync_entities e
       WHERE e.instance = $instance)
    + (SELECT count(*) * ${ROW_BYTES} FROM sync_ledger l WHERE l.instance = $instance)
    + ${EMPTY_BYTES}
  AS BIGINT) AS bytes`;

/** What the store of an instance uses: in a database, which may have others, what its texts and rows take. */
export async function readStoredBytes(database: Database): Promise<number> {
  if (database.dialect === "sqlite") return readUsedBytes(database);
  const [row] = await database.query<{ bytes: number }>(MEASURE);
  return row?.bytes ?? 0;
}

/**
 * What was pushed since an offset: an operation, its row of the ledger, and at most as much in the state of its
 * entity.
 */
const COUNT_SINCE = `SELECT l.generation, l.head_offset, CAST(
    (SELECT coalesce(sum(2 * pg_column_size(o.body) + ${3 * ROW_BYTES}), 0) FROM sync_operations o
     WHERE o.instance = $instance AND o.log_offset > $1)
  AS BIGINT) AS bytes
  FROM sync_log l WHERE l.instance = $instance AND l.id = 1`;

interface SinceRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly bytes: number;
}

/** What was counted is measured so often: it is more than what is used, by what was replaced or removed. */
const MEASURE_MS = 10 * 60_000;
/** A store that is used up may have room again. */
const MEASURE_FULL_MS = 1000;

/**
 * Says as often as it is asked what the store of an instance uses, without a look at each of its rows. Other
 * processes may push too. From `maxBytes` on nothing is estimated.
 */
export function createByteCounter(
  database: Database,
  maxBytes: number = Number.POSITIVE_INFINITY,
  now: () => number = Date.now,
): () => Promise<number> {
  let generation = "";
  let offset = Number.MAX_SAFE_INTEGER;
  let bytes = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;

  async function count(): Promise<SinceRow> {
    const [row] = await database.query<SinceRow>(COUNT_SINCE, [offset]);
    if (row === undefined) throw new Error("The store has no log");
    return row;
  }

  async function measure(since: SinceRow): Promise<number> {
    measuredAt = now();
    bytes = await readStoredBytes(database);
    // What is pushed meanwhile is counted twice rather than never.
    ({ generation, head_offset: offset } = since);
    return bytes;
  }

  return async () => {
    if (database.dialect === "sqlite") return readStoredBytes(database);
    const from = offset;
    const since = await count();
    const age = Math.abs(now() - measuredAt);
    if (since.generation !== generation || age >= MEASURE_MS) return measure(since);
    // Another call may have counted them meanwhile.
    if (offset === from) {
      bytes += since.bytes;
      offset = since.head_offset;
    }
    return bytes >= maxBytes && age >= MEASURE_FULL_MS ? measure(since) : bytes;
  };
}
