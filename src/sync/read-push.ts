/** From the bytes of a push to the operations in it: a pure function, in whichever thread it runs. */
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import { parseJsonBody } from "../http/read-body.ts";
import { describeErrors } from "../rules/sync/describe-problems.ts";
import { toNewOperation } from "../rules/sync/new-operation.ts";
import { scanOperations } from "../rules/sync/scan-operations.ts";
import { validateBatch } from "../rules/sync/validate-operation.ts";
import type { OperationSource } from "./store.ts";

export interface PushRules {
  readonly maxOperations: number;
  readonly profile: SyncProfile;
}

export type PushReadResult =
  | { readonly kind: "operations"; readonly operations: OperationSource }
  | PushError;

export type PushError =
  | { readonly kind: "invalid-json" }
  /** It is JSON, but no list of as many operations as are allowed. */
  | { readonly kind: "invalid-body" }
  | { readonly kind: "invalid-operations"; readonly message: string };

export function readPush(bytes: Uint8Array, { maxOperations, profile }: PushRules): PushReadResult {
  const content = parseJsonBody(bytes);
  if (content.kind !== "json") return content;
  const values = listOf(content.value);
  if (values === null || values.length > maxOperations) return { kind: "invalid-body" };
  const scanned = scanOperations(content.text, values);
  if (scanned === null) return { kind: "invalid-body" };
  const batch = validateBatch(scanned, values, profile);
  if (batch.kind === "invalid") {
    return { kind: "invalid-operations", message: describeErrors(batch.problems) };
  }
  const operations = batch.operations.map(toNewOperation);
  return { kind: "operations", operations: () => operations };
}

/** What `PushBody` of the contract says, by hand: the reading thread is small without its compiler. */
function listOf(value: unknown): readonly unknown[] | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { operations, ...others } = value as Readonly<Record<string, unknown>>;
  return Array.isArray(operations) && operations.length > 0 && Object.keys(others).length === 0
    ? operations
    : null;
}
