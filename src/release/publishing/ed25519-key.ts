import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The key object of 32 raw bytes. */
export function toEd25519Key(rawPublicKey: Uint8Array): KeyObject {
  const x = Buffer.from(rawPublicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

// RFC 8410 section 7: everything of the PKCS#8 structure that comes before the 32 bytes.
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key object of the 32 bytes that RFC 8032 calls the private key. */
export function toEd25519PrivateKey(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([PKCS8_START, seed]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** The 32 bytes of the public half. */
export function toRawPublicKey(key: KeyObject): Buffer {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
}
