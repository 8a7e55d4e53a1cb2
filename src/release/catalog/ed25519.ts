/** What the rules of manifest verification borrow from Node. */
import { createPublicKey, verify } from "node:crypto";
import type { ManifestPrimitives } from "../../rules/release/open-manifest.ts";

export const nodePrimitives: ManifestPrimitives = {
  // Not on another thread: for that Node copies what was signed, which may be many megabytes.
  verifyEd25519: (publicKey, signature, bytes) => {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytes, key, signature);
  },
  // Buffer is lenient, so what it read is written again and compared.
  decodeBase64Url: (text) => {
    const bytes = Buffer.from(text, "base64url");
    return bytes.toString("base64url") === text ? bytes : null;
  },
  // A byte order mark is kept, so that it is refused like any other byte that is not JSON.
  decodeUtf8: (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
};
