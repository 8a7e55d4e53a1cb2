/** Texts sealed under a data key: `2.`, its id, `.`, then nonce, cipher text and tag of XChaCha20-Poly1305. */
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { SEAL_BYTES } from "../../rules/sync/sealed-operation.ts";
import { encodeUtf8 } from "../../rules/web-crypto.ts";
import type { DataKey } from "./data-key.ts";

const NONCE_BYTES = 24;
const SPACE = 0x20;
const SEPARATOR = /* @__PURE__ */ Uint8Array.of(0);
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The nonce follows from everything that is sealed: one text gives the same bytes in every tab and every copy of
 * a device, and two texts never share a nonce.
 */
export function sealText(key: DataKey, associatedData: string, json: string): string {
  const associated = encodeUtf8(associatedData);
  const plain = padText(json);
  const nonce = key.nonceHash(associated, SEPARATOR, plain).subarray(0, NONCE_BYTES);
  const sealed = new Uint8Array(SEAL_BYTES + plain.length);
  sealed.set(nonce);
  xchacha20poly1305(key.operationKey, nonce, associated).encrypt(
    plain,
    sealed.subarray(NONCE_BYTES),
  );
  return `2.${key.id}.${encodeBase64Url(sealed)}`;
}

/** The plain text with its padding; null when the key or the associated data is another one, or a byte. */
export function openText(key: DataKey, associatedData: string, bytes: Uint8Array): string | null {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  try {
    const cipher = xchacha20poly1305(key.operationKey, nonce, encodeUtf8(associatedData));
    return decoder.decode(cipher.decrypt(bytes.subarray(NONCE_BYTES)));
  } catch {
    return null;
  }
}

/** JSON may end with spaces, so that the padding needs no length of its own. */
export function padText(json: string): Uint8Array {
  const bytes = encodeUtf8(json);
  const padded = new Uint8Array(padmeLength(bytes.length)).fill(SPACE);
  padded.set(bytes);
  return padded;
}

/** Below it, lengths would tell a date from a word. */
const MIN_PADDED_BYTES = 128;

/** Padmé adds at most an eighth, and leaves of 2^n lengths only some n to the observer. */
export function padmeLength(length: number): number {
  if (length <= MIN_PADDED_BYTES) return MIN_PADDED_BYTES;
  const exponent = 31 - Math.clz32(length);
  const step = 2 ** (exponent - (32 - Math.clz32(exponent)));
  return Math.ceil(length / step) * step;
}
