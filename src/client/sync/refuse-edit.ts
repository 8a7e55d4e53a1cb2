import { storageError } from "./errors.ts";
import type { EditResult } from "./results.ts";

export type RefusedEdit = Extract<EditResult, { kind: "refused" }>;

export function refuseFailed(cause: unknown): RefusedEdit {
  return refuseEdit("storage_failed", storageError(cause).message);
}

/** No revision can be greater than one with the last sequence there is. */
export function refuseExhausted(): RefusedEdit {
  return refuseEdit(
    "clock_exhausted",
    "no change can follow one with the last sequence there is; erase every device and begin with an empty server",
  );
}

export function refuseEdit(reason: string, message: string): RefusedEdit {
  return { kind: "refused", reason, message };
}
