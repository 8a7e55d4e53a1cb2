import { storageError } from "./errors.ts";
import type { EditResult } from "./results.ts";

export type RefusedEdit = Extract<EditResult, { kind: "refused" }>;

export function refuseFailed(cause: unknown): RefusedEdit {
  return refuseEdit("storage_failed", storageError(cause).message);
}

export function refuseEdit(reason: string, message: string): RefusedEdit {
  return { kind: "refused", reason, message };
}
