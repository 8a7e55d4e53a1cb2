import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { scanOperation } from "../../rules/sync/operation-text.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import { putUnconfirmed } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { TransactionSpan } from "./records.ts";
import { refuseEdit } from "./errors.ts";
import type { EditResult } from "./results.ts";

/** Keeps an operation of this device and queues it, as part of a transaction or alone; an invalid one changes nothing. */
export async function storeOperation(
  transaction: LocalTransaction,
  text: string,
  profile: SyncProfile,
  span?: TransactionSpan,
): Promise<EditResult> {
  const result = validateOperation(scanOperation(text), profile);
  if (result.kind === "invalid") return refuseEdit(result.code, result.reason);
  const { operation } = result;
  const { entityId, operationId, revision } = operation;
  transaction.observe(revision.sequence);
  transaction.writeStored(
    entityId,
    putUnconfirmed(await transaction.readStored(entityId), operation),
  );
  await transaction.enqueue(operation, span);
  return { kind: "stored", operationId };
}
