import type { Revision } from "../../contract/sync/operation.ts";
import type { Field, ParsedOperation, ScannedOperation } from "../../rules/sync/operation-text.ts";
import type { OperationResult } from "../../rules/sync/validate-operation.ts";
import type { EncodedEdit } from "./encode-edit.ts";
import type { RefusedEdit } from "./errors.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { RecordForm, UnreadableReason } from "./record-form.ts";
import type { SyncClientError } from "./results.ts";
import type { StorageTransaction } from "./storage.ts";

/**
 * What the sync client asks of end-to-end encryption. It holds types only: the cryptography is in
 * `trellis/client/encryption`, so an app without it loads no byte of it.
 */
export interface DeviceEncryption {
  readonly keyStore: KeyStore;
  /** Whether a server is acceptable that would also take operations in the clear. */
  readonly allowClearServer: boolean;
  /** Why a server is none for a device with encryption; null stands for a server that names no profile. */
  findProfileError(serverProfile: string | null): SyncClientError | null;
  /** What a request asks for at most, where it is less than without encryption. */
  readonly limits: { readonly pullOperations: number };
  createSealer(keys: AccountKeys): Sealer;
  /** Checks an operation as it is pushed and pulled. */
  validateSealed(operation: ScannedOperation): OperationResult;
  /** Why an edit cannot be sealed: an app can have neither the ids nor the names that sealing needs. */
  findUnsealable(edit: EncodedEdit): RefusedEdit | null;
  /** The form of the records of a device that has the account's key, or that waits for it. */
  createForm(sealer: Sealer | null): RecordForm;
  /** Why a device gets no key: what a server had in the clear cannot be sealed. Null of any other device. */
  findClearError(transaction: StorageTransaction): Promise<SyncClientError | null>;
  /** Whether something is stored in the clear. */
  hasClear(transaction: StorageTransaction): Promise<boolean>;
  /** Seals it, in one transaction with the form `sealed`. */
  sealRecords(transaction: LocalTransaction): Promise<void>;
  /** Another key may open what could not be read. */
  reopenRecords(transaction: LocalTransaction): Promise<void>;
  /** From the platform's generator of random bytes. */
  createDataKey(): Uint8Array;
  /** The keys of a new account: the data key and a new name key. */
  createAccountKeys(dataKey: Uint8Array): AccountKeys;
  /** The account's keys after a rotation to the data key. */
  rotateAccountKeys(keys: AccountKeys, dataKey: Uint8Array): AccountKeys;
  keyIdOf(dataKey: Uint8Array): string;
  toRecoveryKey(dataKey: Uint8Array): string;
  /** Null of a text that is no recovery key, such as one with a typing error. */
  readRecoveryKey(text: string): Uint8Array | null;
  /** The wire text of the operation that creates the key entity. */
  createKeyEntity(keys: AccountKeys, revision: Revision): string;
  /** The wire text of the operation that replaces the key by the next one. */
  rotateKeyEntity(keys: AccountKeys, next: AccountKeys, revision: Revision): string;
  /**
   * The wire text of an operation that writes `keys/<key id>` again with all the former keys: a
   * device that lost a race of two rotations adds the key that it had sealed with meanwhile.
   */
  extendKeyEntity(keys: AccountKeys, revision: Revision): string;
  /**
   * What the operations of the key entity, in any order, say to a data key. Of two operations that
   * write a field, the greater revision counts. A deletion is not believed.
   */
  readKeyEntity(operations: readonly ParsedOperation[], dataKey: Uint8Array): KeyEntityResult;
  /**
   * Whether a device that holds the keys believes an operation of the key entity: it is no deletion, one
   * of its values opens, and none that these keys should open does not.
   */
  isAuthentic(operation: ParsedOperation, keys: AccountKeys): boolean;
}

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

export type OpenResult =
  | { readonly kind: "opened"; readonly operation: OpenedOperation }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly field?: string };

/** Clear names and JSON texts; the lifecycle field is left out. */
export interface OpenedOperation {
  /** From the lifecycle field of a create, restore or delete; null of a patch, which does not tell. */
  readonly entityId: string | null;
  readonly payloadFields: readonly Field[];
  readonly metadataFields: readonly Field[];
}

/** Where a device keeps the keys of an account: a text of the sync client, by a name. */
export interface KeyStore {
  /** Null when there are no keys of that name. */
  read(name: string): Promise<string | null>;
  write(name: string, keys: string): Promise<void>;
  delete(name: string): Promise<void>;
}
