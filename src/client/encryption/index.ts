/** `trellis/client/encryption`: end-to-end encryption for the sync client. Only an app that imports it loads it. */
export { createIndexedDbKeyStore } from "./indexed-db-key-store.ts";
export { createMemoryKeyStore } from "./memory-key-store.ts";
export { createEncryption, type EncryptionOptions } from "./create-encryption.ts";
export type { SyncEncryption } from "../sync/client-keys.ts";
export type { KeyStore } from "../sync/encryption.ts";
