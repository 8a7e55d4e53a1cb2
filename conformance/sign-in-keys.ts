import { encodeBase64Url } from "../src/rules/base64url.ts";
import { deriveSaltedPassword } from "../src/rules/identity/scram.ts";
import { randomBytes, type Bytes } from "../src/rules/web-crypto.ts";

const keys = new Map<string, Promise<Bytes>>();

/** A derivation takes half a second, and a run signs in a hundred times with one password and salt. */
export function deriveKeyOnce(password: string, salt: Bytes, iterations: number): Promise<Bytes> {
  const inputs = JSON.stringify([password, encodeBase64Url(salt), iterations]);
  const key = keys.get(inputs) ?? deriveSaltedPassword(password, salt, iterations);
  keys.set(inputs, key);
  return key;
}

export function randomText(length: number): string {
  return encodeBase64Url(randomBytes(length)).slice(0, length);
}
