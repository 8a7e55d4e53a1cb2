import type { Queryable, Row } from "../../database/database.ts";
import type { LogHead, MarkedHead } from "../store.ts";

export interface HeadRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly compaction_floor: number;
}

export interface MarkedHeadRow extends HeadRow {
  readonly mark: string;
}

/** The columns of a `MarkedHeadRow`, and the tables that have them. */
export const MARKED_HEAD = "l.generation, l.head_offset, l.compaction_floor, h.mark";
export const MARKED_LOG =
  "sync_log l JOIN sync_marks h ON h.log_offset = l.head_offset AND l.id = 1";

const HEAD = "SELECT generation, head_offset, compaction_floor FROM sync_log WHERE id = 1";

export async function readHead(store: Queryable): Promise<LogHead> {
  const [row] = await store.query<HeadRow>(HEAD);
  return toHead(expectHead(row));
}

export function expectHead<R extends HeadRow>(row: R | undefined): R {
  if (row === undefined) throw new Error("The log has no head: the store was not prepared");
  return row;
}

export function toHead(row: HeadRow): LogHead {
  return {
    generation: row.generation,
    headOffset: row.head_offset,
    compactionFloor: row.compaction_floor,
  };
}

export function toMarkedHead(row: MarkedHeadRow): MarkedHead {
  return { ...toHead(row), mark: row.mark };
}
