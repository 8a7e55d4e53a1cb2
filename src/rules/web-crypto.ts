/**
 * The cryptography of servers, clients and pages alike: WebCrypto, which every supported runtime has.
 * The rules compile without the types of any platform, so what they use of it is declared here.
 */

export type Bytes = Uint8Array<ArrayBuffer>;
/** The bytes are cryptographically strong; an argument wherever a test has to foresee the result. */
export type RandomBytes = (length: number) => Bytes;

interface SubtleCrypto {
  digest(algorithm: "SHA-256", bytes: Bytes): Promise<ArrayBuffer>;
  importKey(
    format: "raw",
    key: Bytes,
    algorithm: string | { readonly name: string; readonly hash: string },
    extractable: false,
    usages: readonly ("sign" | "verify" | "deriveBits")[],
  ): Promise<object>;
  sign(algorithm: "HMAC", key: object, bytes: Bytes): Promise<ArrayBuffer>;
  verify(algorithm: "Ed25519", key: object, signature: Bytes, bytes: Bytes): Promise<boolean>;
  deriveBits(
    algorithm: {
      readonly name: "PBKDF2";
      readonly hash: "SHA-256";
      readonly salt: Bytes;
      readonly iterations: number;
    },
    key: object,
    length: number,
  ): Promise<ArrayBuffer>;
}

declare const crypto: {
  readonly subtle: SubtleCrypto;
  getRandomValues(bytes: Bytes): Bytes;
};
declare class TextEncoder {
  encode(text: string): Bytes;
}
declare class TextDecoder {
  constructor(encoding: "utf-8", options: { readonly fatal: true; readonly ignoreBOM: true });
  decode(bytes: Uint8Array): string;
}

/** A page outside a secure context has no SubtleCrypto. */
export function hasWebCrypto(): boolean {
  return typeof crypto !== "undefined" && "subtle" in crypto;
}

export function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Throws on bytes that are not UTF-8. Keeps a byte order mark, so that JSON.parse refuses it. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function hmacSha256(key: Bytes, bytes: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

/** RFC 8018 5.2 with HMAC-SHA-256, 32 bytes of output. Runs outside the thread that calls it. */
export async function pbkdf2Sha256(
  password: Bytes,
  salt: Bytes,
  iterations: number,
): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations } as const;
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
}

/** "unsupported" when this runtime has no Ed25519: then no signature can be verified. */
export async function verifyEd25519(
  publicKey: Bytes,
  signature: Bytes,
  bytes: Bytes,
): Promise<boolean | "unsupported"> {
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, bytes);
  } catch (error) {
    // Web Cryptography 14.3.9: DataError is a bad key; any other error means no Ed25519 in this runtime.
    const isBadKey =
      typeof error === "object" && error !== null && "name" in error && error.name === "DataError";
    return isBadKey ? false : "unsupported";
  }
}
