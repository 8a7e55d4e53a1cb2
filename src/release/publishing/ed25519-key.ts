import { createPublicKey, type KeyObject } from "node:crypto";

/** The key object of 32 raw bytes. */
export function toEd25519Key(rawPublicKey: Uint8Array): KeyObject {
  const x = Buffer.from(rawPublicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
