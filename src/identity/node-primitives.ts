/** The cryptography of a sign-in, from node:crypto. */
import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Bytes, IdentityPrimitives } from "../rules/identity/primitives.ts";

export type RandomBytes = IdentityPrimitives["randomBytes"];

const derive = promisify(pbkdf2);

/** `random` is the only one that a test may want to foresee. */
export function createNodePrimitives(random: RandomBytes = randomBytesOfNode): IdentityPrimitives {
  return {
    encodeUtf8: (text) => Uint8Array.from(Buffer.from(text, "utf8")),
    sha256: async (bytes) => plain(createHash("sha256").update(bytes).digest()),
    hmacSha256: async (key, bytes) => plain(createHmac("sha256", key).update(bytes).digest()),
    // The iterations run in Node's thread pool: the server answers others meanwhile.
    pbkdf2Sha256: async (password, salt, iterations) =>
      plain(await derive(password, salt, iterations, 32, "sha256")),
    randomBytes: random,
  };
}

function randomBytesOfNode(length: number): Bytes {
  return plain(randomBytes(length));
}

/** A Buffer may be a window into a larger one, and compares unequal to the same plain bytes. */
function plain(buffer: Buffer): Bytes {
  return Uint8Array.from(buffer);
}
