/** The head of the log, and the marks of its commits. */
import type { Queryable, Row } from "../../database/database.ts";
import type { LogClock } from "../../rules/sync/log-clock.ts";
import { createMark } from "../log/cursor.ts";
import type { LogHead, MarkedHead } from "../store.ts";

/** The channel is notified when any process or command has moved the head, added a key or ended a session. */
export const CHANGES_CHANNEL = "sync changes";

interface LogRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly compaction_floor: number;
}

export interface HeadRow extends LogRow {
  readonly greatest_sequence: number;
  readonly takes_any_sequence: number;
}

export interface MarkedHeadRow extends LogRow {
  readonly mark: string;
  readonly key_id: string | null;
}

/** The head with the clock of the log, which no device learns. */
export interface StoredHead extends LogHead {
  readonly clock: LogClock;
}

/** The columns of the log's clock. */
export const CLOCK = "greatest_sequence, takes_any_sequence";

/** 1 from when the owner has deleted everything until a device signs in. */
export const IS_CLOSED = `CASE WHEN is_cleared = 1 AND NOT EXISTS
    (SELECT 1 FROM sync_sessions WHERE instance = $instance)
    THEN 1 ELSE 0 END`;

/** A column of the account's key, the last of the list, as an SQL expression. */
export function ofCurrentKey(column: "key_id" | "write_hash"): string {
  return `(SELECT k.${column} FROM sync_keys k WHERE k.instance = $instance
    ORDER BY k.position DESC LIMIT 1)`;
}

/** The columns of a `MarkedHeadRow`, which `MARKED_LOG` has. */
export const MARKED_HEAD = "l.generation, l.head_offset, l.compaction_floor, l.mark, l.key_id";
/**
 * The row of the log with the mark of its head and the account's key, as of one moment. A join would leave it to the planner where to
 * begin; the limit keeps the mark from being read again.
 */
export const MARKED_LOG = `(SELECT generation, head_offset, compaction_floor,
    (SELECT m.mark FROM sync_marks m WHERE m.instance = $instance AND m.log_offset = head_offset) AS mark,
    ${ofCurrentKey("key_id")} AS key_id
  FROM sync_log WHERE instance = $instance AND id = 1 LIMIT 1) AS l`;

const HEAD = `SELECT generation, head_offset, compaction_floor, ${CLOCK} FROM sync_log
  WHERE instance = $instance AND id = 1`;

export async function readHead(store: Queryable): Promise<StoredHead> {
  const [row] = await store.query<HeadRow>(HEAD);
  return toHead(expectHead(row));
}

export async function writeClock(
  tx: Queryable,
  { greatestSequence, takesAnySequence }: LogClock,
): Promise<void> {
  await tx.query(
    `UPDATE sync_log SET greatest_sequence = $1, takes_any_sequence = $2
     WHERE instance = $instance AND id = 1`,
    [greatestSequence, takesAnySequence ? 1 : 0],
  );
}

export function expectHead<R extends HeadRow>(row: R | undefined): R {
  if (row === undefined) throw notPreparedError();
  return row;
}

/** Only a store that was prepared has a head with a mark. */
export function expectMarkedHead<R extends MarkedHeadRow>(row: R | undefined): R {
  if (typeof row?.mark !== "string") throw notPreparedError();
  return row;
}

function notPreparedError(): Error {
  return new Error("The log has no head: the store was not prepared");
}

export function toHead(row: HeadRow): StoredHead {
  const { greatest_sequence: greatestSequence, takes_any_sequence: takesAny } = row;
  return { ...toLogHead(row), clock: { greatestSequence, takesAnySequence: takesAny === 1 } };
}

function toLogHead(row: LogRow): LogHead {
  return {
    generation: row.generation,
    headOffset: row.head_offset,
    compactionFloor: row.compaction_floor,
  };
}

export function toMarkedHead(row: MarkedHeadRow): MarkedHead {
  return { ...toLogHead(row), mark: row.mark, keyId: row.key_id };
}

/** The mark of the commit that an offset, an SQL expression, belongs to. */
export function markAt(offset: string): string {
  return `(SELECT m.mark FROM sync_marks m
     WHERE m.instance = $instance AND m.log_offset >= ${offset}
     ORDER BY m.log_offset LIMIT 1)`;
}

/** Marks the head of a new log, or of a log from before marks: all written until now counts as one commit. */
export async function markHead(tx: Queryable): Promise<void> {
  await tx.query(
    `INSERT INTO sync_marks (instance, log_offset, mark) SELECT instance, head_offset, $1 FROM sync_log
     WHERE instance = $instance AND id = 1 ON CONFLICT (instance, log_offset) DO NOTHING`,
    [createMark(null)],
  );
}
