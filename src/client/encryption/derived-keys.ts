/** The keys that follow from an account's keys, and the ids and names that follow from those. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { OperationPart } from "../../rules/sync/sealable-name.ts";

export const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;
const NAME_BYTES = 16;

/** Whatever is hashed or derived has a context of its own, so that nothing can stand for another thing. */
export const CONTEXT = "trellis/sealed/1";
const ID_PREFIX = "sealed/";

const encoder = /* @__PURE__ */ new TextEncoder();

export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The fields of the key entity have the same names in every account, because a device must find them. */
export function toKeyEntityName(field: string, keyId: string): string {
  return toFieldName(sha256(toUtf8(`${CONTEXT}/key-entity/${field}/${keyId}`)));
}

export function keyIdOf(dataKey: Uint8Array): string {
  return encodeBase64Url(deriveKey(extractKey(dataKey), "key-id", KEY_ID_BYTES));
}

/** Finds the key that seals the values of an entity; undefined when there is no such data key. */
export type FindValueKey = (keyId: string, sealedId: string) => Uint8Array | undefined;

export function createValueKeys(dataKeysById: ReadonlyMap<string, Uint8Array>): FindValueKey {
  const extractedById = new Map([...dataKeysById].map(([id, key]) => [id, extractKey(key)]));
  // The fields of an operation follow each other, and share their key.
  let last: { keyId: string; sealedId: string; valueKey: Uint8Array } | null = null;
  return (keyId, sealedId) => {
    if (last?.keyId === keyId && last.sealedId === sealedId) return last.valueKey;
    const extracted = extractedById.get(keyId);
    if (extracted === undefined) return undefined;
    const info = `value/${sealedId.slice(ID_PREFIX.length)}`;
    last = { keyId, sealedId, valueKey: deriveKey(extracted, info, KEY_BYTES) };
    return last.valueKey;
  };
}

export interface OpaqueNames {
  /** The opaque id of an app's entity id. */
  sealedId(entityId: string): string;
  /** The opaque name of a field of the entity that has this opaque id. */
  fieldName(sealedId: string, part: OperationPart, name: string): string;
}

export function createOpaqueNames(nameKey: Uint8Array): OpaqueNames {
  const extracted = extractKey(nameKey);
  const hashId = createKeyedHash(deriveKey(extracted, "entity-id", KEY_BYTES));
  const hashName = createKeyedHash(deriveKey(extracted, "field-name", KEY_BYTES));
  return {
    sealedId: (entityId) => toSealedId(hashId(entityId)),
    fieldName: (sealedId, part, name) => toFieldName(hashName(`${sealedId}\n${part}\n${name}`)),
  };
}

/** HMAC with one key: a copy of the keyed state needs half of the hashing. */
function createKeyedHash(key: Uint8Array): (text: string) => Uint8Array {
  const keyed = hmac.create(sha256, key);
  return (text) => keyed.clone().update(toUtf8(text)).digest();
}

/** HKDF-Extract with an empty salt (RFC 5869 2.2), which all keys that are derived from this one share. */
function extractKey(key: Uint8Array): Uint8Array {
  return hmac(sha256, new Uint8Array(sha256.outputLen), key);
}

/** HKDF-Expand (RFC 5869 2.3) to at most 32 bytes: its first block, which ends with the number 1. */
function deriveKey(extractedKey: Uint8Array, info: string, length: number): Uint8Array {
  return hmac(sha256, extractedKey, toUtf8(`${CONTEXT}/${info}\x01`)).subarray(0, length);
}

function toSealedId(hash: Uint8Array): string {
  return `${ID_PREFIX}${encodeBase64Url(hash)}`;
}

function toFieldName(hash: Uint8Array): string {
  return encodeBase64Url(hash.subarray(0, NAME_BYTES));
}
