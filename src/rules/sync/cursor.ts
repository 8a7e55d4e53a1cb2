/** Where a device is in the log: opaque to clients, one spelling for each place. */
import type { RecoveryReason } from "../../contract/sync/values.ts";
import { decodeBase64Url, encodeBase64Url, encodeFirstBytes } from "../base64url.ts";

export interface Cursor {
  /** Begins anew when the store was restored or reset. */
  readonly generation: string;
  /** Of the last operation that was seen; 0 before the first. */
  readonly offset: number;
}

export interface LogBounds {
  readonly generation: string;
  readonly headOffset: number;
  /**
   * No operation at or below it is in the log. A purge moves what it keeps from there to new offsets,
   * or a first pull would get cursors that are below the floor already, and start over for ever.
   */
  readonly compactionFloor: number;
}

/** ASCII only, so that a cursor's characters are its bytes. */
export const GENERATION_PATTERN = "^[A-Za-z0-9._~-]{1,64}$";

const GENERATION = new RegExp(GENERATION_PATTERN);
const CURSOR =
  /^\{"version":1,"generation":"([A-Za-z0-9._~-]{1,64})","offset":(0|[1-9][0-9]{0,15})\}$/;
/** The longest text that the pattern takes, in Base64URL, rounded up. */
const MAX_CURSOR_LENGTH = 192;

export function encodeCursor({ generation, offset }: Cursor): string {
  return createCursorEncoder(generation)(offset);
}

/** For many cursors of one generation: what they have in common is encoded once. */
export function createCursorEncoder(generation: string): (offset: number) => string {
  if (!GENERATION.test(generation)) {
    throw new Error(`Cannot make a cursor of generation "${generation}"`);
  }
  const opening = `{"version":1,"generation":"${generation}","offset":`;
  // Base64 writes three bytes as four letters, so a whole number of threes stands by itself.
  const whole = opening.length - (opening.length % 3);
  const head = encodeBase64Url(toBytes(opening.slice(0, whole)));
  const rest = opening.slice(whole);
  const room = new Uint8Array(MAX_TAIL_LENGTH);
  return (offset) => {
    if (!Number.isSafeInteger(offset) || offset < 0) {
      throw new Error(`Cannot make a cursor of offset ${offset}`);
    }
    const tail = `${rest}${offset}}`;
    writeAscii(tail, room);
    return head + encodeFirstBytes(room, tail.length);
  };
}

/** What is left of the threes, the digits of the greatest offset, and the brace. */
const MAX_TAIL_LENGTH = 2 + 16 + 1;

function toBytes(ascii: string): Uint8Array {
  const bytes = new Uint8Array(ascii.length);
  writeAscii(ascii, bytes);
  return bytes;
}

function writeAscii(ascii: string, bytes: Uint8Array): void {
  for (let index = 0; index < ascii.length; index++) bytes[index] = ascii.charCodeAt(index);
}

/** Null for whatever `encodeCursor` would not have written. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > MAX_CURSOR_LENGTH) return null;
  const bytes = decodeBase64Url(text);
  if (bytes === null) return null;
  const match = CURSOR.exec(String.fromCharCode(...bytes));
  if (match === null) return null;
  const [, generation = "", digits = ""] = match;
  const offset = Number(digits);
  return Number.isSafeInteger(offset) ? { generation, offset } : null;
}

/** Whether the log can continue from here; a first pull, without a cursor, always can begin. */
export function judgeCursor(cursor: Cursor | null, log: LogBounds): RecoveryReason {
  if (cursor === null) return "none";
  // Offsets of another generation say nothing about this one, so it is asked first.
  if (cursor.generation !== log.generation) return "generation_changed";
  if (cursor.offset > log.headOffset) return "cursor_ahead";
  if (cursor.offset < log.compactionFloor) return "missing_compacted_history";
  return "none";
}
