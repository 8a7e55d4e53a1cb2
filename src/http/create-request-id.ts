/** 22 random Base64URL characters. Randomness is fetched for many requests at once. */
import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const supply = Buffer.alloc(256 * ID_BYTES);
let used = supply.length;

export function createRequestId(): string {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const start = used;
  used += ID_BYTES;
  return supply.toString("base64url", start, used);
}
