/** What the rules of manifest verification borrow from Node. */
import { createPublicKey, verify } from "node:crypto";
import type { ManifestPrimitives } from "../../rules/release/open-manifest.ts";

export const nodePrimitives: ManifestPrimitives = {
  // On another thread: a long history takes a tenth of a second.
  verifyEd25519: (publicKey, signature, bytes) => {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return new Promise((resolve, reject) => {
      verify(null, bytes, key, signature, (error, isGenuine) =>
        error === null ? resolve(isGenuine) : reject(error),
      );
    });
  },
  // Buffer is lenient, so what it read is written again and compared.
  decodeBase64Url: (text) => {
    const bytes = Buffer.from(text, "base64url");
    return bytes.toString("base64url") === text ? bytes : null;
  },
  // A byte order mark is kept, so that it is refused like any other byte that is not JSON.
  decodeUtf8: (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
};
