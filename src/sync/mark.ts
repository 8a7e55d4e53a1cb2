/**
 * Every commit of the log has a random mark, and a cursor carries that of the commit it has reached. A
 * store that was put back to an earlier state and written to again has other marks at the same
 * offsets, so the cursor of a device that saw more is recognised.
 */
import { encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes } from "../rules/web-crypto.ts";

const MARK_BYTES = 8;

export function createMark(): string {
  return encodeBase64Url(randomBytes(MARK_BYTES));
}
