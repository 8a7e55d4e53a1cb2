import type { EditResult } from "./results.ts";

export type RefusedEdit = Extract<EditResult, { kind: "refused" }>;

export function refuse(reason: string, message: string): RefusedEdit {
  return { kind: "refused", reason, message };
}
