/** An operation with what it writes: a value's text for every register that it names. */
import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../contract/sync/types.ts";
import type { FieldTexts } from "./field-texts.ts";
import { scanOperation, type ScannedOperation } from "./scan-operations.ts";

export interface ReadOperation {
  /** As pushed, and as sent to every device. */
  readonly text: string;
  readonly operationId: string;
  readonly entityId: string;
  readonly kind: OperationKind;
  readonly revision: Revision;
  /** The payload fields it writes. */
  readonly payloadFields: FieldTexts;
  /** The metadata fields it writes. */
  readonly metadataFields: FieldTexts;
}

/** For an operation that was validated, now or when it was stored. */
export function readOperation(scanned: ScannedOperation, operation: Operation): ReadOperation {
  return {
    text: scanned.text,
    operationId: operation.operationId,
    entityId: operation.document.entityId,
    kind: operation.kind,
    revision: operation.revision,
    payloadFields: scanned.payloadTexts.pick(operation.changedFields),
    metadataFields: scanned.metadataTexts.pick(operation.changedMetadataFields),
  };
}

/** Reads the text of an operation that was validated before it was stored. */
export function readStoredOperation(text: string): ReadOperation {
  return readOperation(scanOperation(text), JSON.parse(text) as Operation);
}
