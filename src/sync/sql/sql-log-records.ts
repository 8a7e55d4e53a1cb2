import type { Queryable } from "../../database/database.ts";
import type { LogHead, LogRecords } from "../store.ts";
import { beginGeneration } from "./prepare-log.ts";

/** `onGeneration` gets the head of a new generation. */
export function createSqlLogRecords(
  tx: Queryable,
  onGeneration: (head: LogHead) => void,
): LogRecords {
  return {
    async readHistory() {
      const [row] = await tx.query<{ history: string | null }>(
        "SELECT history FROM sync_log WHERE id = 1",
      );
      return row?.history ?? null;
    },
    async nameHistory(name) {
      await tx.query("UPDATE sync_log SET history = $1 WHERE id = 1", [name]);
    },
    async beginGeneration() {
      onGeneration(await beginGeneration(tx, []));
    },
  };
}
