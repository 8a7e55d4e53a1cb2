import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { scanOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { validateClear, type OperationResult } from "../../rules/sync/validate-operation.ts";
import { putUnconfirmed } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";
import type { RecordForm } from "./record-form.ts";
import { formatPath, toEditPath } from "./value-path.ts";

/** Validates operations as the app made them: what is good in the clear can be sealed. */
export function toStored(
  form: RecordForm,
  texts: readonly string[],
  profile: ClearProfile,
): readonly ParsedOperation[] | RefusedEdit {
  const operations: ParsedOperation[] = [];
  for (const text of texts) {
    const result = validateClear(scanOperation(text), profile);
    if (result.kind === "invalid") return refuseInvalid(result);
    operations.push(form.toStored(result.operation));
  }
  return operations;
}

/** Keeps operations of this device and queues them. Returns the id of the first. */
export async function storeOperations(
  transaction: LocalTransaction,
  operations: readonly ParsedOperation[],
): Promise<string> {
  for (const operation of operations) {
    const { entityId, revision } = operation;
    const isNew = revision.sequence >= transaction.nextRevision().sequence;
    transaction.observe(revision.sequence);
    const stored = await transaction.readStored(entityId);
    transaction.writeStored(entityId, putUnconfirmed(stored, operation));
    await transaction.enqueue(operation, { isNew });
  }
  return operations[0]?.operationId ?? "";
}

type Invalid = Extract<OperationResult, { kind: "invalid" }>;

export function refuseInvalid({ code, reason, path }: Invalid): RefusedEdit {
  return refuseEdit(
    code,
    path === undefined ? reason : `${formatPath(toEditPath(path))}: ${reason}`,
  );
}
