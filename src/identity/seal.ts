/**
 * Encryption at rest: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D 8.2.2). The context is
 * associated data, so bytes that were sealed for one account open for no other.
 * Format: one byte of version, 12 of nonce, the ciphertext, 16 of tag.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import {
  randomBytes as strongRandomBytes,
  type Bytes,
  type RandomBytes,
} from "../rules/web-crypto.ts";

export interface SealContext {
  readonly realm: string;
  readonly account: string;
  readonly purpose: string;
}

type OpenResult =
  | { readonly kind: "opened"; readonly bytes: Bytes }
  /** The bytes are too short, or of an unknown version. */
  | { readonly kind: "not-a-seal" }
  /** The bytes were changed, or sealed under another key or for another context: GCM cannot tell which. */
  | { readonly kind: "not-genuine" };

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

export function createSecretSealer(key: Bytes, randomBytes: RandomBytes = strongRandomBytes) {
  return {
    seal(bytes: Uint8Array, context: SealContext): Bytes {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(context));
      const parts = [Uint8Array.of(VERSION), nonce, cipher.update(bytes), cipher.final()];
      return Uint8Array.from(Buffer.concat([...parts, cipher.getAuthTag()]));
    },
    open(sealed: Uint8Array, context: SealContext): OpenResult {
      if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES + TAG_BYTES) {
        return { kind: "not-a-seal" };
      }
      const nonce = sealed.subarray(1, HEADER_BYTES);
      const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(context));
      cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const head = cipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES));
      try {
        return { kind: "opened", bytes: Uint8Array.from(Buffer.concat([head, cipher.final()])) };
      } catch {
        // `final` throws only for a wrong tag.
        return { kind: "not-genuine" };
      }
    },
  };
}

/** A JSON list, so that no two contexts have the same encoding. */
function associatedData({ realm, account, purpose }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([VERSION, realm, account, purpose]), "utf8");
}
