import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { ScannedOperation } from "../../rules/sync/operation-text.ts";
import type { OperationResult } from "../../rules/sync/validate-operation.ts";
import type { DataKeys, KeyOrigin } from "../encryption/account-key-list.ts";
import type { DataKey } from "../encryption/data-key.ts";
import type { OperationSealer } from "../encryption/operation-sealer.ts";
import type { EncodedEdit } from "./encode-edit.ts";
import type { RefusedEdit } from "./errors.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { RecordForm } from "./record-form.ts";
import type { SyncClientError } from "./results.ts";
import type { StorageTransaction } from "./storage.ts";

/**
 * What the sync client asks of end-to-end encryption. It holds types only: the cryptography is in
 * `trellis/client/encryption`, so an app without it loads no byte of it.
 */
export interface DeviceEncryption {
  readonly keyStore: KeyStore;
  /** Why a server is none for a device with encryption; null stands for a server that names no profile. */
  findProfileError(serverProfile: string | null): SyncClientError | null;
  /** Checks an operation as it is pushed and pulled. */
  validateSealed(operation: ScannedOperation): OperationResult;
  /** Why an edit cannot be sealed: an app can have neither the ids nor the names that sealing needs. */
  findUnsealable(edit: EncodedEdit): RefusedEdit | null;
  /** The form of the records of a device that holds the account's keys, or that waits for them. */
  createForm(keys: FormKeys | null): RecordForm;
  /** Why a device gets no key: what a server had in the clear cannot be sealed. Null of any other device. */
  findClearError(transaction: StorageTransaction): Promise<SyncClientError | null>;
  /** Throws for a storage that a client of the first layout wrote, which was never released. */
  refuseFormer(transaction: StorageTransaction): Promise<void>;
  /** Whether something is stored under the app's own ids and names. */
  hasClear(transaction: StorageTransaction): Promise<boolean>;
  /** Gives it opaque ids and names, in one transaction with the form `sealed`. */
  nameRecords(transaction: LocalTransaction): Promise<void>;
  /** Another key may open what could not be read. */
  reopenRecords(transaction: LocalTransaction): Promise<void>;
  createSealer(keys: DataKeys): OperationSealer;
  /** From the platform's generator of random bytes. */
  createDataKey(): DataKey;
  /** The record of a key that follows `former`; `origin` is null in a list of its own. */
  createKeyRecord(key: DataKey, former: readonly DataKey[], origin: KeyOrigin | null): AccountKey;
  /** The keys of a list that ends with this key; null unless all of it belongs together. */
  takeOverList(list: readonly AccountKey[], key: DataKey): DataKeys | null;
  /** Who replaced a key by that of the record; null when the holder of the key did not write it. */
  openOrigin(record: AccountKey, before: DataKey): KeyOrigin | null;
}

export interface FormKeys {
  readonly sealer: OperationSealer;
  /** The ids of the keys that the account's list has: a server takes nothing under others. */
  readonly listedIds: ReadonlySet<string>;
}

/** Where a device keeps the keys of an account: a text of the sync client, by a name. */
export interface KeyStore {
  /** Null when there are no keys of that name. */
  read(name: string): Promise<string | null>;
  /** Stores the keys in place of any of that name, and resolves when they are durable. */
  write(name: string, keys: string): Promise<void>;
  /** Deletes the keys of that name; it is no error when there are none. */
  delete(name: string): Promise<void>;
}
