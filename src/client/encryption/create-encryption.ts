import { isObject } from "../../contract/is-object.ts";
import { validateSealed } from "../../rules/sync/validate-operation.ts";
import type { SyncEncryption } from "../sync/client-keys.ts";
import type { DeviceEncryption, KeyStore } from "../sync/encryption.ts";
import { createIndexedDbKeyStore } from "./indexed-db-key-store.ts";
import { keyError } from "./key-error.ts";
import { createLockedForm } from "./locked-form.ts";
import { openKeys } from "./open-keys.ts";
import { hasClear, hasSyncedClear, reopenRecords, sealRecords } from "./seal-records.ts";
import { createAccountKeys, createDataKey, rotateAccountKeys } from "./account-keys.ts";
import { keyIdOf } from "./derived-keys.ts";
import { findUnsealable } from "./find-unsealable.ts";
import { createKeyEntity, extendKeyEntity, rotateKeyEntity } from "./key-entity.ts";
import { isAuthentic, readKeyEntity } from "./read-key-entity.ts";
import { readRecoveryKey, toRecoveryKey } from "./recovery-key.ts";
import { createSealedForm } from "./sealed-form.ts";
import { createSealer } from "./sealer.ts";
import { findSealedProfileError, SEALED_LIMITS } from "./server-fit.ts";

export interface EncryptionOptions {
  /** Where this device keeps the keys; by default in IndexedDB, which only browsers have. */
  readonly keyStore?: KeyStore;
  /** Accepts a server that would also take operations in the clear; by default it is refused. */
  readonly allowClearServer?: boolean;
}

/** What `createSyncClient` takes as its option `encryption`. */
export function createEncryption(options: EncryptionOptions = {}): SyncEncryption {
  // An app in JavaScript may pass anything.
  const given: unknown = options;
  if (!isObject(given)) throw invalid("the options are no object");
  const { keyStore = createDefaultKeyStore(), allowClearServer = false } = options;
  if (!isKeyStore(keyStore)) {
    throw invalid(
      "keyStore is not of createIndexedDbKeyStore, createFileKeyStore or createMemoryKeyStore",
    );
  }
  const encryption: DeviceEncryption = {
    keyStore,
    allowClearServer,
    findProfileError: (serverProfile) => findSealedProfileError(serverProfile, allowClearServer),
    limits: SEALED_LIMITS,
    // Nonces are no argument here: they come from the platform's generator.
    createSealer: (keys) => createSealer(keys),
    validateSealed,
    findUnsealable,
    createForm: (sealer) =>
      sealer === null
        ? createLockedForm(createSealer(createAccountKeys(createDataKey())))
        : createSealedForm(sealer),
    findClearError: async (transaction) =>
      (await hasSyncedClear(transaction)) ? keyError("data-in-the-clear") : null,
    hasClear,
    sealRecords,
    reopenRecords,
    createDataKey,
    createAccountKeys,
    rotateAccountKeys,
    keyIdOf,
    toRecoveryKey,
    readRecoveryKey,
    createKeyEntity: (keys, revision) => createKeyEntity(keys, revision),
    rotateKeyEntity: (keys, next, revision) => rotateKeyEntity(keys, next, revision),
    extendKeyEntity: (keys, revision) => extendKeyEntity(keys, revision),
    readKeyEntity,
    isAuthentic,
  };
  return { ...encryption, openKeys: (onChange) => openKeys(encryption, onChange) };
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
