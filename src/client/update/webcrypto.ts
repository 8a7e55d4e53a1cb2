/** The primitives of manifest verification, from WebCrypto and the Encoding standard alone. */
import type { ManifestPrimitives } from "../../rules/release/open-manifest.ts";

export const webCryptoPrimitives: ManifestPrimitives = {
  verifyEd25519: async (publicKey, signature, bytes) => {
    try {
      // Read inside: a page outside a secure context has no subtle, whatever the types promise.
      const { subtle } = globalThis.crypto;
      const key = await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
      return await subtle.verify("Ed25519", key, signature, bytes);
    } catch (error) {
      // Web Cryptography 14.3.9: bytes that are no key are a DataError; anything else means that
      // this runtime cannot do Ed25519 at all.
      return isNamed(error, "DataError") ? false : "unsupported";
    }
  },
  // A byte order mark is kept, so that JSON.parse refuses it instead of never seeing it.
  decodeUtf8: (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
};

function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name;
}
