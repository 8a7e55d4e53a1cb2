import { isObject } from "../../contract/is-object.ts";
import { validateSealed } from "../../rules/sync/validate-operation.ts";
import type { SyncEncryption } from "../sync/client-keys.ts";
import type { DeviceEncryption, KeyStore } from "../sync/encryption.ts";
import { createKeyRecord, openOrigin, takeOverList } from "./account-key-list.ts";
import { DATA_KEY_BYTES, toDataKey, type DataKey } from "./data-key.ts";
import { createIndexedDbKeyStore } from "./indexed-db-key-store.ts";
import { findUnsealable } from "./find-unsealable.ts";
import { keyError } from "./key-error.ts";
import { LOCKED_FORM } from "./locked-form.ts";
import { hasClear, hasSyncedClear, nameRecords, reopenRecords } from "./name-records.ts";
import { openKeys } from "./open-keys.ts";
import { refuseFormer } from "./refuse-former.ts";
import { createOperationSealer } from "./operation-sealer.ts";
import { createSealedForm } from "./sealed-form.ts";
import { findSealedProfileError } from "./server-fit.ts";

/** Where a device keeps its keys; by default in IndexedDB, where scripts cannot read them out. */
export interface EncryptionOptions {
  /** Where this device keeps the keys; by default in IndexedDB, which only browsers have. */
  readonly keyStore?: KeyStore;
}

/**
 * Makes the end-to-end encryption of one sync client, for its option `encryption`: the server then stores
 * only ciphertext.
 * @returns what the option `encryption` takes
 * @example
 * ```ts
 * import { createIndexedDbStorage, createSyncClient } from "trellis/client";
 * import { createEncryption, createIndexedDbKeyStore } from "trellis/client/encryption";
 *
 * const client = await createSyncClient({
 *   baseUrl: "https://sync.example.com",
 *   redirectUri: "https://app.example.com/callback",
 *   storage: createIndexedDbStorage("tasks"),
 *   encryption: createEncryption({ keyStore: createIndexedDbKeyStore("tasks-keys") }),
 * });
 * const created = await client.encryption.createKey();
 * if (created.kind === "created") console.log("Write this down:", created.recoveryKey);
 * ```
 */
export function createEncryption(options: EncryptionOptions = {}): SyncEncryption {
  // An app in JavaScript may pass anything.
  const given: unknown = options;
  if (!isObject(given)) throw invalid("the options are no object");
  const { keyStore = createDefaultKeyStore() } = options;
  if (!isKeyStore(keyStore)) {
    throw invalid(
      "keyStore is not of createIndexedDbKeyStore, createFileKeyStore or createMemoryKeyStore",
    );
  }
  const encryption: DeviceEncryption = {
    keyStore,
    findProfileError: findSealedProfileError,
    validateSealed,
    findUnsealable,
    createForm: (keys) => (keys === null ? LOCKED_FORM : createSealedForm(keys)),
    findClearError: async (transaction) =>
      (await hasSyncedClear(transaction)) ? keyError("data-in-the-clear") : null,
    refuseFormer,
    hasClear,
    nameRecords,
    reopenRecords,
    createSealer: createOperationSealer,
    createDataKey,
    createKeyRecord,
    takeOverList,
    openOrigin,
  };
  return { ...encryption, openKeys: (onChange) => openKeys(encryption, onChange) };
}

/** From the platform's generator of random bytes, whatever an app passes. */
function createDataKey(): DataKey {
  return toDataKey(crypto.getRandomValues(new Uint8Array(DATA_KEY_BYTES)));
}

function isKeyStore(keyStore: unknown): boolean {
  return (
    isObject(keyStore) &&
    ["read", "write", "delete"].every((name) => typeof keyStore[name] === "function")
  );
}

function invalid(detail: string): TypeError {
  return new TypeError(`Cannot create the encryption: ${detail}`);
}

/** Keys that are gone after a restart would be a surprise, so memory is never the default. */
function createDefaultKeyStore(): KeyStore {
  if (typeof indexedDB !== "undefined") return createIndexedDbKeyStore();
  throw new TypeError(
    "There is no IndexedDB: give createEncryption a keyStore, such as createFileKeyStore(folder) of trellis/client/node",
  );
}
