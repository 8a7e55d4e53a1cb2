import type { Queryable, Row } from "../../database/database.ts";
import type { LogHead } from "../store.ts";

export interface HeadRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly compaction_floor: number;
}

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
