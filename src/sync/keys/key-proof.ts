/** Only who has the account's key may write: a push proves the key with a secret whose digest the list has. */
import { hash } from "node:crypto";
import { ACCOUNT_KEY_ID_PATTERN, WRITE_SECRET_PATTERN } from "../../contract/sync/account-keys.ts";
import { isSameSecret } from "../../identity/one-time-secrets.ts";

export interface KeyProof {
  readonly keyId: string;
  /** SHA-256 of the key's write secret in Base64URL: what its record has as `write`. */
  readonly writeHash: string;
}

/** What a store knows of the keys that a request names. */
export interface KnownKeys {
  /** The account's key; null without one. */
  readonly current: KeyProof | null;
  /** Whether the list has the key. */
  has(keyId: string): boolean;
}

export const NO_KEYS: KnownKeys = { current: null, has: () => false };

/** `replaced`: the key was the account's before. */
export type KeyProofResult = "proved" | "replaced" | "unknown";

const KEY_ID = new RegExp(ACCOUNT_KEY_ID_PATTERN);
const SECRET = new RegExp(WRITE_SECRET_PATTERN);

/** Null for anything but a key id, a dot and a write secret. The secret itself goes no further. */
export function readKeyProof(header: string | null): KeyProof | null {
  const [keyId = "", secret = "", ...rest] = header?.split(".") ?? [];
  if (!KEY_ID.test(keyId) || !SECRET.test(secret) || rest.length > 0) return null;
  return { keyId, writeHash: hash("sha256", Buffer.from(secret, "base64url"), "base64url") };
}

/** Digests are compared in constant time. */
export function checkKeyProof(proof: KeyProof | null, keys: KnownKeys): KeyProofResult {
  const { current } = keys;
  if (proof === null || current === null) return "unknown";
  if (proof.keyId !== current.keyId) return keys.has(proof.keyId) ? "replaced" : "unknown";
  return isSameSecret(proof.writeHash, current.writeHash) ? "proved" : "unknown";
}

/** A push of sealed operations came without a proof of the account's key, or with one of a former key. */
export type KeyError = { readonly kind: "key-unknown" } | { readonly kind: "key-replaced" };

/** Why a push is refused. Who proves the account's key may push what was sealed under any key of the list. */
export function findKeyError(
  operations: readonly { readonly keyId?: string }[],
  proof: KeyProof | null,
  keys: KnownKeys,
): KeyError | { readonly kind: "under-unknown-key"; readonly indexes: number[] } | null {
  if (operations.every(({ keyId }) => keyId === undefined)) return null;
  const result = checkKeyProof(proof, keys);
  if (result !== "proved") return { kind: `key-${result}` };
  const indexes = operations.flatMap(({ keyId }, index) =>
    keyId === undefined || keys.has(keyId) ? [] : [index],
  );
  return indexes.length > 0 ? { kind: "under-unknown-key", indexes } : null;
}
