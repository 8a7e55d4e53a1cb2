/** The decoding and verification of a manifest by Node, which copies none of its bytes. */
import { createPublicKey, verify } from "node:crypto";
import type { Bytes } from "../../rules/web-crypto.ts";

/** Synchronous: WebCrypto, in its own thread, would copy what was signed. */
export function verifyEd25519(publicKey: Bytes, signature: Bytes, bytes: Bytes): boolean {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, bytes, key, signature);
}

/** Buffer accepts text that is not canonical, so the result is encoded again and compared. */
export function decodePayload(text: string): Bytes | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}
