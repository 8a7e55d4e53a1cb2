/** An operation as a store takes it: texts and nothing else, so that it can also cross threads. */
import { operationToStateText } from "./entity-state-text.ts";
import { readStoredOperation, type ReadOperation } from "./read-operation.ts";

export interface NewOperation {
  /** As pushed, and as sent to every device. */
  readonly text: string;
  readonly operationId: string;
  readonly entityId: string;
  /** The text of the state that it makes of nothing. */
  readonly state: string;
}

export function toNewOperation(operation: ReadOperation): NewOperation {
  const { text, operationId, entityId } = operation;
  return { text, operationId, entityId, state: operationToStateText(operation) };
}

/** Of the text of an operation that was validated before. */
export function readNewOperation(text: string): NewOperation {
  return toNewOperation(readStoredOperation(text));
}
