/** One edit of a simulation, before it is applied. */
import type { Fields, OrderPlace } from "../../../src/client/index.ts";
import type { OperationKind } from "../../../src/contract/sync/operation-limits.ts";

export interface PlannedEdit {
  readonly kind: OperationKind;
  readonly entityId: string;
  /** Null for a restore that brings back what the device holds. */
  readonly payload: Fields | null;
  readonly metadata: Fields;
  /** Whether the server refuses it although the client does not. */
  readonly isRefusable: boolean;
  /** The reason for which the client must refuse it; null for a valid edit. */
  readonly invalid: string | null;
  /** The call of a collection; absent for an edit by entity id. */
  readonly call?: TaskCall;
  /** The call of a bill, whose payload is all that the operation must write. */
  readonly bill?: BillCall;
  /** The field of which the client decides the value, or the part. */
  readonly decided?: "position" | "spent";
  /** The number of the first edit of its transaction. */
  readonly group?: number;
}

export type BillCall = "create" | "patch" | "remove" | "restore";

export type TaskCall =
  | { readonly name: "create" | "patch" | "remove" | "restore" }
  | { readonly name: "increment"; readonly by: number }
  | { readonly name: "addTo" | "removeFrom"; readonly element: string }
  | { readonly name: "move"; readonly place: OrderPlace };

/** Whether it is refused when the device does not show, or hold, its entity. */
export function needsEntity({ kind, payload }: PlannedEdit): boolean {
  return (kind !== "create" && kind !== "restore") || payload === null;
}

/** Whether it is refused when the device shows its entity. */
export function needsNoEntity({ call, bill }: PlannedEdit): boolean {
  return (call?.name ?? bill) === "create";
}
