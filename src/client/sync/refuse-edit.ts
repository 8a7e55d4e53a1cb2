import type { EditResult } from "./results.ts";

export type RefusedEdit = Extract<EditResult, { kind: "refused" }>;

/** No revision can be greater than one with the last sequence there is. */
export function refuseExhausted(): RefusedEdit {
  return refuse(
    "clock_exhausted",
    "a change with the last sequence there is was merged, and none can follow it; erase every device and begin with an empty server",
  );
}

export function refuse(reason: string, message: string): RefusedEdit {
  return { kind: "refused", reason, message };
}
