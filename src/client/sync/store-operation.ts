import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { scanOperation } from "../../rules/sync/operation-text.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import { putUnconfirmed } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { refuseEdit } from "./errors.ts";
import type { EditResult } from "./results.ts";
import { formatPath, toEditPath } from "./value-path.ts";

/** Keeps an operation of this device and queues it; an invalid one changes nothing. */
export async function storeOperation(
  transaction: LocalTransaction,
  text: string,
  profile: SyncProfile,
): Promise<EditResult> {
  const result = validateOperation(scanOperation(text), profile);
  if (result.kind === "invalid") {
    const { code, reason, path } = result;
    return refuseEdit(
      code,
      path === undefined ? reason : `${formatPath(toEditPath(path))}: ${reason}`,
    );
  }
  const { operation } = result;
  const { entityId, operationId, revision } = operation;
  transaction.observe(revision.sequence);
  transaction.writeStored(
    entityId,
    putUnconfirmed(await transaction.readStored(entityId), operation),
  );
  await transaction.enqueue(operation);
  return { kind: "stored", operationId };
}
