/** A key sealed under a passphrase: the instance key in a backup, a signing key in its file. */
import Type, { type Static } from "typebox";

export const sealedKeySchema = Type.Object({
  kdf: Type.Literal("scrypt"),
  cost: Type.Integer(),
  blockSize: Type.Integer(),
  parallelization: Type.Integer(),
  salt: Type.String(),
  /** The sealed key is in the format of identity/seal. */
  sealed: Type.String(),
});

export type SealedKey = Readonly<Static<typeof sealedKeySchema>>;
