import type { Queryable, Statement } from "../../database/database.ts";
import { createMark } from "../mark.ts";

/** The mark of the commit that an offset, an SQL expression, belongs to. */
export function markAt(offset: string): string {
  return `(SELECT m.mark FROM sync_marks m WHERE m.log_offset >= ${offset}
     ORDER BY m.log_offset LIMIT 1)`;
}

/** The last offset of a push, and its mark. */
export type MarkRow = readonly [number, string];

export function addMarks(rows: readonly MarkRow[]): Statement {
  const sql =
    "INSERT INTO sync_marks (log_offset, mark) SELECT r.log_offset, r.mark FROM {rows} AS r";
  return { sql, rows: { columns: { log_offset: "integer", mark: "text" }, rows } };
}

/**
 * Marks the head of a new log, and that of a log from before there were marks: all that was written
 * until now counts as one commit.
 */
export async function markHead(tx: Queryable): Promise<void> {
  await tx.query(
    `INSERT INTO sync_marks (log_offset, mark) SELECT head_offset, $1 FROM sync_log WHERE id = 1
     ON CONFLICT (log_offset) DO NOTHING`,
    [createMark(null)],
  );
}

/** Forgets the marks of commits that no valid cursor can be in: all that end before an offset. */
export async function forgetMarks(tx: Queryable, before: number): Promise<void> {
  await tx.query("DELETE FROM sync_marks WHERE log_offset < $1", [before]);
}
