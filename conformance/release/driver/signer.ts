import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import {
  MANIFEST_ALGORITHM,
  MANIFEST_SCHEMA_VERSION,
} from "../../../src/contract/release/values.ts";
import { encodeBase64Url } from "../../../src/rules/base64url.ts";

export interface Signer {
  readonly keyId: string;
  readonly publicKey: string;
  /** The signature over these bytes, in Base64URL. */
  sign(bytes: Uint8Array): string;
  /** Signs these bytes, or the JSON of this value. */
  seal(payload: Uint8Array | object): ManifestEnvelope;
}

/** An envelope, perhaps with values that the contract does not allow. */
export interface ManifestEnvelope {
  readonly schemaVersion: number;
  readonly keyId: string;
  readonly algorithm: string;
  readonly payload: string;
  readonly signature: string;
}

export function createSigner(
  keyId: string,
  privateKey: KeyObject = generateKeyPairSync("ed25519").privateKey,
): Signer {
  const signBytes = (bytes: Uint8Array) => encodeBase64Url(sign(null, bytes, privateKey));
  return {
    keyId,
    publicKey: createPublicKey(privateKey).export({ format: "jwk" }).x ?? "",
    sign: signBytes,
    seal: (payload) => {
      const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
      return {
        schemaVersion: MANIFEST_SCHEMA_VERSION,
        keyId,
        algorithm: MANIFEST_ALGORITHM,
        payload: encodeBase64Url(bytes),
        signature: signBytes(bytes),
      };
    },
  };
}
