/** Decides whether a record joins the list of keys, so that a store need not know how keys follow each other. */
import { MAX_ACCOUNT_KEYS, MAX_KEY_LIST_CHARACTERS } from "../../contract/sync/account-keys.ts";
import type { AccountKey } from "../../contract/sync/schemas.ts";
import { parseEnvelope } from "../../rules/sync/sealed-operation.ts";
import { checkKeyProof, type KeyProof, type KnownKeys } from "./key-proof.ts";

export interface StoredKeys extends KnownKeys {
  readonly length: number;
  /** The characters of the envelopes of all records. */
  readonly characters: number;
  /** The record of the id that the new one has. */
  readonly same: AccountKey | undefined;
}

export type AddKeyError =
  /** Another key has replaced the one that is proved, or is there already. */
  | { readonly kind: "replaced" }
  /** The account's key is not proved. */
  | { readonly kind: "unknown" }
  /** The record does not follow the last one. */
  | { readonly kind: "invalid" }
  | { readonly kind: "too-many" };

export type KeyPlan = { readonly kind: "added" } | { readonly kind: "repeated" } | AddKeyError;

export function planKey(record: AccountKey, proof: KeyProof | null, keys: StoredKeys): KeyPlan {
  const { current, same } = keys;
  if (parseEnvelope(record.keys)?.keyId !== record.keyId) return { kind: "invalid" };
  if (same !== undefined) return { kind: isSameRecord(record, same) ? "repeated" : "replaced" };
  const { from } = record;
  if (current === null) return { kind: from === undefined ? "added" : "invalid" };
  // Of two devices that make the first key of an account, the second has nothing to prove.
  if (proof === null && from === undefined) return { kind: "replaced" };
  const result = checkKeyProof(proof, keys);
  if (result !== "proved") return { kind: result };
  // A stranger learns nothing about the list.
  if (from === undefined || parseEnvelope(from)?.keyId !== current.keyId)
    return { kind: "invalid" };
  const characters = keys.characters + record.keys.length + from.length;
  const fits = keys.length < MAX_ACCOUNT_KEYS && characters <= MAX_KEY_LIST_CHARACTERS;
  return { kind: fits ? "added" : "too-many" };
}

function isSameRecord(a: AccountKey, b: AccountKey): boolean {
  return a.write === b.write && a.keys === b.keys && a.from === b.from;
}
