/** A sealed value: `1.`, the id of its key, `.`, then nonce, ciphertext and tag of XChaCha20-Poly1305. */
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import type { Revision } from "../../contract/sync/operation.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import type { OperationPart } from "../../rules/sync/sealable-name.ts";
import { isSealedField } from "../../rules/sync/former-sealed-operation.ts";
import type { FormerReason } from "./former-types.ts";
import { toUtf8, type FindValueKey } from "./derived-keys.ts";
import { paddedLength } from "./padding.ts";

/** Where a value belongs: elsewhere it does not open. */
export interface ValuePlace {
  readonly sealedId: string;
  readonly part: OperationPart;
  /** The opaque name of the field. */
  readonly name: string;
  readonly revision: Revision;
}

export type OpenValueResult =
  /** The plain text as it was sealed, with its padding. */
  | { readonly kind: "opened"; readonly text: string }
  | { readonly kind: "unreadable"; readonly reason: FormerReason };

/** Gives the bytes of a nonce. Only tests have one that is not the platform's generator. */
export type CreateNonce = () => Uint8Array;

const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const SPACE = 0x20;
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A nonce of 24 random bytes never repeats, so devices and tabs need no counter that they share. The nonces of
 * an operation are one request, which costs the generator as much as a single one.
 */
export function createRandomNonces(count: number): CreateNonce {
  const bytes = crypto.getRandomValues(new Uint8Array(count * NONCE_BYTES));
  let used = 0;
  // One too many would be shorter, which the cipher refuses.
  return () => bytes.subarray(used, (used += NONCE_BYTES));
}

/** Seals a JSON text under a key that must be one of the keys. */
export function sealValue(
  findKey: FindValueKey,
  keyId: string,
  place: ValuePlace,
  json: string,
  createNonce: CreateNonce,
): string {
  const valueKey = findKey(keyId, place.sealedId);
  if (valueKey === undefined) throw new TypeError(`There is no key "${keyId}" to seal with`);
  const nonce = createNonce();
  const cipher = xchacha20poly1305(valueKey, nonce, toAssociatedData(keyId, place));
  const plainText = toPlainText(json);
  const sealed = new Uint8Array(NONCE_BYTES + plainText.length + TAG_BYTES);
  sealed.set(nonce);
  cipher.encrypt(plainText, sealed.subarray(NONCE_BYTES));
  return `1.${keyId}.${encodeBase64Url(sealed)}`;
}

/** Opens the JSON text of a field's value. */
export function openValue(
  findKey: FindValueKey,
  place: ValuePlace,
  valueJson: string,
): OpenValueResult {
  if (!isSealedField({ name: place.name, json: valueJson })) {
    return { kind: "unreadable", reason: "not-sealed" };
  }
  const [, keyId = "", base64Url = ""] = valueJson.slice(1, -1).split(".");
  const sealed = decodeBase64Url(base64Url) ?? new Uint8Array();
  const valueKey = findKey(keyId, place.sealedId);
  if (valueKey === undefined) return { kind: "unreadable", reason: "unknown-key" };
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const cipher = xchacha20poly1305(valueKey, nonce, toAssociatedData(keyId, place));
  try {
    const plain = cipher.decrypt(sealed.subarray(NONCE_BYTES));
    return { kind: "opened", text: decoder.decode(plain) };
  } catch {
    return { kind: "unreadable", reason: "damaged" };
  }
}

export function toAssociatedData(
  keyId: string,
  { sealedId, part, name, revision: { deviceId, sequence } }: ValuePlace,
): Uint8Array {
  return toUtf8(`1\n${keyId}\n${sealedId}\n${part}\n${name}\n${deviceId}\n${sequence}`);
}

/** JSON may end with spaces, so that the padding needs no length of its own. */
export function toPlainText(json: string): Uint8Array {
  const bytes = toUtf8(json);
  const padded = new Uint8Array(paddedLength(bytes.length)).fill(SPACE);
  padded.set(bytes);
  return padded;
}
