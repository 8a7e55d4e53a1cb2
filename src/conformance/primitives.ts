/** The cryptography of a sign-in, as the kit's own side of it. */
import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Bytes, IdentityPrimitives } from "../rules/identity/primitives.ts";

const derive = promisify(pbkdf2);

/** Half a second each, and a run signs in a hundred times with one password and one salt. */
const derivedKeys = new Map<string, Promise<Bytes>>();

export const PRIMITIVES: IdentityPrimitives = {
  encodeUtf8: (text) => Uint8Array.from(Buffer.from(text, "utf8")),
  sha256: async (bytes) => plain(createHash("sha256").update(bytes).digest()),
  hmacSha256: async (key, bytes) => plain(createHmac("sha256", key).update(bytes).digest()),
  pbkdf2Sha256: (password, salt, iterations) => {
    const question = createHash("sha256").update(password).update(salt).update(`/${iterations}`);
    const name = question.digest("base64url");
    const known = derivedKeys.get(name);
    if (known !== undefined) return known;
    const key = derive(password, salt, iterations, 32, "sha256").then(plain);
    derivedKeys.set(name, key);
    return key;
  },
  randomBytes: (length) => plain(randomBytes(length)),
};

/** The bytes alone, without the pool that a Buffer may be a window of. */
function plain(buffer: Buffer): Bytes {
  return Uint8Array.from(buffer);
}

export function randomText(length: number): string {
  return randomBytes(length).toString("base64url").slice(0, length);
}
