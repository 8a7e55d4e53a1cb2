/** A data key of an account, and the keys that follow from it. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { encodeUtf8 } from "../../rules/web-crypto.ts";

export interface DataKey {
  readonly bytes: Uint8Array;
  /** 22 characters of base64url. */
  readonly id: string;
  readonly operationKey: Uint8Array;
  readonly nonceHash: KeyedHash;
  readonly writeSecret: Uint8Array;
}

/** HMAC with SHA-256 under one key, of parts that follow each other. */
export type KeyedHash = (...parts: readonly Uint8Array[]) => Uint8Array;

export const DATA_KEY_BYTES = 32;
const KEY_ID_BYTES = 16;

/** Whatever is hashed or derived has a context of its own, so that nothing can stand for another thing. */
export const SEALED_CONTEXT = "trellis/sealed/2";

export function toDataKey(bytes: Uint8Array): DataKey {
  const extracted = extract(bytes);
  return {
    bytes,
    id: encodeBase64Url(expand(extracted, "key-id").subarray(0, KEY_ID_BYTES)),
    operationKey: expand(extracted, "operation"),
    nonceHash: toKeyedHash(expand(extracted, "nonce")),
    writeSecret: expand(extracted, "write"),
  };
}

/** What a server keeps of a key, to know who has it. */
export function toWriteHash({ writeSecret }: DataKey): string {
  return encodeBase64Url(sha256(writeSecret));
}

/** HKDF with an empty salt (RFC 5869), to 32 bytes. */
export function hkdf(key: Uint8Array, info: string): Uint8Array {
  return expand(extract(key), info);
}

/** A copy of the keyed state needs half of the hashing. */
export function toKeyedHash(key: Uint8Array): KeyedHash {
  const keyed = hmac.create(sha256, key);
  return (...parts) => {
    const state = keyed.clone();
    for (const part of parts) state.update(part);
    return state.digest();
  };
}

/** RFC 5869 2.2: what all keys that are derived from one share. */
function extract(key: Uint8Array): Uint8Array {
  return hmac(sha256, new Uint8Array(sha256.outputLen), key);
}

/** RFC 5869 2.3: the first block, which ends with the number 1. */
function expand(extracted: Uint8Array, info: string): Uint8Array {
  return hmac(sha256, extracted, encodeUtf8(`${SEALED_CONTEXT}/${info}\x01`));
}
