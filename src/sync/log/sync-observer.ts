/** What a program that watches a sync service learns: how much happens, never what is stored. */
import type { RecoveryReason } from "../../contract/sync/values.ts";

export interface SyncObserver {
  pushed(push: ObservedPush): void;
  pulled(pull: ObservedPull): void;
  /** How many streams of changes this process has open. */
  streams(open: number): void;
}

export type ObservedPush =
  | { readonly kind: "stored"; readonly operations: number; readonly duplicates: number }
  /** An operation id was used with other content. */
  | { readonly kind: "conflict" }
  /** The storage of the instance is used up. */
  | { readonly kind: "over-quota" }
  /** The body, or an operation in it, is not valid. */
  | { readonly kind: "invalid" };

export interface ObservedPull {
  /** Identifies the sign-in of the device. */
  readonly family: string;
  readonly operations: number;
  /** The offset of the last operation that the device has now. */
  readonly offset: number;
  readonly recoveryReason: RecoveryReason;
}
