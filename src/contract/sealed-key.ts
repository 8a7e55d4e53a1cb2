/** A key sealed under a passphrase: the instance key in a backup, a signing key in its file. */
export interface SealedKey {
  readonly kdf: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: string;
  /** The sealed key is in the format of identity/seal. */
  readonly sealed: string;
}
