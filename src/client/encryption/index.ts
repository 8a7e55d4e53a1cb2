/** `trellis/client/encryption`: end-to-end encryption for the sync client. Only apps that import it load it. */
export { createEncryption, type EncryptionOptions } from "./create-encryption.ts";
export type { KeyStore, SyncEncryption } from "../sync/encryption.ts";
