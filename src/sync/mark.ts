/**
 * Every commit of the log has a random mark, and a cursor carries that of the commit it has reached. A
 * store that was put back to an earlier state and written to again has other marks at the same
 * offsets, so the cursor of a device that saw more is recognised.
 *
 * Once a put-back was noted, the store gives its history a name, with which the marks of all later
 * commits begin: a lost cursor with that name tells of a further put-back, any other of one that was
 * noted already.
 */
import { encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes } from "../rules/web-crypto.ts";

const MARK_BYTES = 8;
/** A multiple of 3, so that the name is the beginning of the mark's text. */
const NAME_BYTES = 3;

/** `history` is the name of the log's history; null while it has none. */
export function createMark(history: string | null): string {
  return history === null
    ? encodeBase64Url(randomBytes(MARK_BYTES))
    : history + encodeBase64Url(randomBytes(MARK_BYTES - NAME_BYTES));
}

export function createHistoryName(): string {
  return encodeBase64Url(randomBytes(NAME_BYTES));
}
