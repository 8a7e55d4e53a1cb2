import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { scanOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { RuleError } from "../../rules/sync/operation-error.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import { putUnconfirmed } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";
import type { EditResult } from "./results.ts";
import { formatPath, toEditPath } from "./value-path.ts";

/** Keeps operations of this device and queues them: all or, when one is invalid, none. The result names the first. */
export async function storeOperations(
  transaction: LocalTransaction,
  texts: readonly string[],
  profile: SyncProfile,
): Promise<EditResult> {
  const operations: ParsedOperation[] = [];
  for (const text of texts) {
    const result = validateOperation(scanOperation(text), profile);
    if (result.kind === "invalid") return refuseInvalid(result);
    operations.push(result.operation);
  }
  for (const operation of operations) {
    const { entityId, revision } = operation;
    transaction.observe(revision.sequence);
    const stored = await transaction.readStored(entityId);
    transaction.writeStored(entityId, putUnconfirmed(stored, operation));
    await transaction.enqueue(operation);
  }
  return { kind: "stored", operationId: operations[0]?.operationId ?? "" };
}

function refuseInvalid({ code, reason, path }: RuleError): RefusedEdit {
  return refuseEdit(
    code,
    path === undefined ? reason : `${formatPath(toEditPath(path))}: ${reason}`,
  );
}
