import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { scanOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { validateClear, type OperationResult } from "../../rules/sync/validate-operation.ts";
import { putUnconfirmed } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";
import type { RecordForm } from "./record-form.ts";
import { formatPath, toEditPath } from "./value-path.ts";

/** Operations as the device stores them, and the texts that it will push. */
export interface FormedOperations {
  readonly operations: readonly ParsedOperation[];
  /** The bytes that they have in a push. */
  readonly bytes: number;
}

/** Validates operations as the app made them: what is good in the clear can be sealed. */
export function toStored(
  form: RecordForm,
  texts: readonly string[],
  profile: ClearProfile,
  /** Whether the bytes are asked for. */
  counts: boolean,
): FormedOperations | RefusedEdit {
  const operations: ParsedOperation[] = [];
  let bytes = 0;
  for (const text of texts) {
    const result = validateClear(scanOperation(text), profile);
    if (result.kind === "invalid") return refuseInvalid(result);
    const stored = form.toStored(result.operation);
    operations.push(stored);
    if (counts) bytes += form.pushedBytes(stored) + 1;
  }
  return { operations, bytes };
}

/** Keeps operations of this device and queues them. Returns the id of the first. */
export async function storeOperations(
  transaction: LocalTransaction,
  operations: readonly ParsedOperation[],
): Promise<string> {
  for (const operation of operations) {
    const { entityId, revision } = operation;
    transaction.observe(revision.sequence);
    const stored = await transaction.readStored(entityId);
    transaction.writeStored(entityId, putUnconfirmed(stored, operation));
    await transaction.enqueue(operation);
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
