/**
 * Takes operations out of the log. The ledger compares a repeated one with what the log has; of what
 * leaves it, a digest stays.
 */
import type { Queryable } from "../../database/database.ts";
import { contentHash } from "../plan-append.ts";

export interface LoggedOperation {
  readonly operationId: string;
  readonly offset: number;
  readonly text: string;
}

export async function removeOperations(
  tx: Queryable,
  operations: readonly LoggedOperation[],
): Promise<void> {
  await tx.queryRows(
    `UPDATE sync_ledger SET content_hash = r.content_hash FROM {rows} AS r
     WHERE sync_ledger.operation_id = r.operation_id`,
    {
      columns: { operation_id: "text", content_hash: "text" },
      rows: operations.map(({ operationId, text }) => [operationId, contentHash(text)]),
    },
  );
  await tx.queryRows(
    "DELETE FROM sync_operations WHERE log_offset IN (SELECT r.log_offset FROM {rows} AS r)",
    { columns: { log_offset: "integer" }, rows: operations.map(({ offset }) => [offset]) },
  );
}
