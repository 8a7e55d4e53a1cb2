/** The cryptography of a sign-in, from the browser. */
import type { Bytes, IdentityPrimitives } from "../../rules/identity/primitives.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** False without a secure context: browsers then have no SubtleCrypto, whatever the types promise. */
export function hasWebCrypto(): boolean {
  return isSecureContext && "subtle" in crypto;
}

export const webCryptoPrimitives: IdentityPrimitives = {
  encodeUtf8: (text) => new TextEncoder().encode(text),
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  hmacSha256: async (key, bytes) => {
    const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
  },
  pbkdf2Sha256: async (password, salt, iterations) => {
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const settings = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
    return new Uint8Array(await crypto.subtle.deriveBits(settings, key, 256));
  },
  randomBytes: (length): Bytes => crypto.getRandomValues(new Uint8Array(length)),
};
