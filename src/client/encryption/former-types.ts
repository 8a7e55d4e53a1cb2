/** The types of the first layout, as long as a command reads it. */
import type { Field, ParsedOperation } from "../../rules/sync/operation-text.ts";

/** The keys of an account, once checked. */
export interface AccountKeys {
  readonly keyId: string;
  readonly dataKey: Uint8Array;
  readonly nameKey: Uint8Array;
  /** The data keys before this one, by their ids. */
  readonly former: ReadonlyMap<string, Uint8Array>;
}

export type KeyEntityResult =
  | { readonly kind: "account-key"; readonly keys: AccountKeys }
  /**
   * Authentic `next`s lead to another key: from this one, or from one of its former keys, when two
   * devices replaced the same key at once and this is the one that lost.
   */
  | { readonly kind: "replaced"; readonly keyId: string }
  /** It is not the account's key, or nothing authentic says so. */
  | { readonly kind: "other-key" }
  /** The operations hold no create of the key entity. */
  | { readonly kind: "missing" };

/**
 * Gives an account's operations their sealed form. It is synchronous, because a transaction of the
 * storage can wait for nothing else.
 */
export interface Sealer {
  /** The opaque id, `sealed/…`, of an app's entity id. */
  sealedId(entityId: string): string;
  /** The opaque name of a field of the entity with this opaque id. */
  sealedName(sealedId: string, part: "payload" | "metadata", name: string): string;
  /**
   * The wire text of a clear operation whose revision is final. A patch has exactly the fields it
   * changes. Throws at a name that `isSealableName` refuses: an edit checks its names first.
   */
  seal(operation: ParsedOperation): string;
  open(operation: ParsedOperation): OpenResult;
}

export type FormerReason = "damaged" | "unknown-key" | "lifecycle" | "not-sealed";

export type OpenResult =
  | { readonly kind: "opened"; readonly operation: OpenedOperation }
  | { readonly kind: "unreadable"; readonly reason: FormerReason; readonly field?: string };

/** Clear names and JSON texts; the lifecycle field is left out. */
export interface OpenedOperation {
  /** From the lifecycle field of a create, restore or delete; null of a patch, which does not tell. */
  readonly entityId: string | null;
  readonly payloadFields: readonly Field[];
  readonly metadataFields: readonly Field[];
}
