/** Reads the operations from the bytes of a push. Pure, so that it can run in any thread. */
import { isObject } from "../../contract/is-object.ts";
import { hasRepeatedMember } from "../../contract/repeated-member.ts";
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { parseJsonBody } from "../../http/read-body.ts";
import { describeErrors, type OperationError } from "../../rules/sync/operation-error.ts";
import { operationToStateText } from "../../rules/sync/entity-state-text.ts";
import {
  parseOperation,
  scanOperations,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { refusedToHeader } from "../../rules/sync/refused-operations.ts";
import { validateBatch } from "../../rules/sync/validate-operation.ts";
import type { NewOperation } from "../store.ts";

export interface PushRules {
  readonly maxOperations: number;
  readonly profile: SyncProfile;
}

export type PushReadResult =
  | { readonly kind: "operations"; readonly operations: readonly NewOperation[] }
  | { readonly kind: "invalid-json" }
  /** JSON, but no list of one to `maxOperations` operations. */
  | { readonly kind: "invalid-body" }
  | InvalidOperations;

export interface InvalidOperations {
  readonly kind: "invalid-operations";
  readonly message: string;
  /** The header for programs. */
  readonly refused: string;
}

export function readPush(bytes: Uint8Array, { maxOperations, profile }: PushRules): PushReadResult {
  const content = parseJsonBody(bytes);
  if (content.kind !== "json") return content;
  const values = readList(content.value);
  if (values === null) {
    const isAmbiguous = hasRepeatedMember(content.text, content.value);
    return { kind: isAmbiguous ? "invalid-json" : "invalid-body" };
  }
  if (values.length > maxOperations) return { kind: "invalid-body" };
  const scanned = scanOperations(content.text, values);
  // The list is there, so it is given twice.
  if (scanned === null) return { kind: "invalid-json" };
  const batch = validateBatch(scanned, profile);
  return batch.kind === "valid"
    ? { kind: "operations", operations: batch.operations.map(toNewOperation) }
    : describeInvalid(batch.errors);
}

export function describeInvalid(errors: readonly OperationError[]): InvalidOperations {
  return {
    kind: "invalid-operations",
    message: describeErrors(errors),
    refused: refusedToHeader(errors),
  };
}

/** Checks what the schema `PushBody` says, without TypeBox, which the worker would have to load. */
function readList(value: unknown): readonly unknown[] | null {
  if (!isObject(value)) return null;
  const { operations, ...others } = value;
  return Array.isArray(operations) && operations.length > 0 && Object.keys(others).length === 0
    ? operations
    : null;
}

export function toNewOperation(operation: ParsedOperation): NewOperation {
  const { text, operationId, entityId, envelope } = operation;
  const state = operationToStateText(operation);
  return { text, operationId, entityId, state, ...(envelope && { keyId: envelope.keyId }) };
}

/** The text must be that of a valid operation. */
export function readNewOperation(text: string): NewOperation {
  return toNewOperation(parseOperation(text));
}
