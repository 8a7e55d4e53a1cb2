/** Makes the log ready: a generation to begin with, and a new one when the store was put back. */
import type { Database, Queryable } from "../../database/database.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { LogHead } from "../store.ts";
import type { HighWater } from "./high-water.ts";
import { readHead } from "./sql-operations.ts";

const GENERATION_BYTES = 16;

export interface PreparedLog {
  readonly head: LogHead;
  /** Whether the store was older than what is remembered of it, so that a new generation began. */
  readonly wasRestored: boolean;
}

export async function prepareLog(
  database: Database,
  mark: HighWater | null,
  randomBytes: (length: number) => Uint8Array,
): Promise<PreparedLog> {
  return database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO sync_log (id, generation, head_offset, compaction_floor) VALUES (1, $1, 0, 0)
       ON CONFLICT (id) DO NOTHING`,
      [createGeneration(randomBytes)],
    );
    const head = await readHead(tx);
    // Another generation is another log: what is remembered says nothing about it.
    const isOlder = mark?.generation === head.generation && mark.headOffset > head.headOffset;
    if (!isOlder) return { head, wasRestored: false };
    return { head: await beginGeneration(tx, randomBytes, mark.headOffset), wasRestored: true };
  });
}

/** Offsets that were given out once are never given out again, not even in a new generation. */
export async function beginGeneration(
  tx: Queryable,
  randomBytes: (length: number) => Uint8Array,
  usedOffset: number,
): Promise<LogHead> {
  const { headOffset } = await readHead(tx);
  await tx.query("UPDATE sync_log SET generation = $1, head_offset = $2 WHERE id = 1", [
    createGeneration(randomBytes),
    Math.max(headOffset, usedOffset),
  ]);
  return readHead(tx);
}

function createGeneration(randomBytes: (length: number) => Uint8Array): string {
  return encodeBase64Url(randomBytes(GENERATION_BYTES));
}
