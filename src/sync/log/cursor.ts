/** The place of a device in the log: opaque to clients, with one spelling for each place. */
import { randomBytes } from "node:crypto";
import type { RecoveryReason } from "../../contract/sync/values.ts";

export interface Cursor {
  readonly generation: string;
  /** The offset of the last operation that was pulled; 0 before the first. */
  readonly offset: number;
  /**
   * The mark of the commit that the offset belongs to: a store with another mark there has another
   * history. Null in a cursor from before there were marks.
   */
  readonly mark: string | null;
}

export type MarkedCursor = Cursor & { readonly mark: string };

/**
 * Where a log ends: its generation, its last offset, and the offset below which operations were compacted.
 */
export interface LogHead {
  /** A restore begins a new generation. */
  readonly generation: string;
  /** The offset of the last operation; 0 in an empty log. */
  readonly headOffset: number;
  /**
   * No operation at or below this offset is in the log. A purge moves the operations that it keeps
   * to new offsets above the floor, or a first pull would get cursors that are below the floor
   * already.
   */
  readonly compactionFloor: number;
}

/** The end of a log with the mark of its last commit and the key of the account, which cursors carry. */
export interface MarkedHead extends LogHead {
  /** The mark of the commit that the head belongs to. */
  readonly mark: string;
  /** The account's key, the last of the list, at the moment of the head; null without one. */
  readonly keyId: string | null;
}

const GENERATION = /^[A-Za-z0-9._~-]{1,64}$/;
const MARK = /^[A-Za-z0-9_-]{11}$/;
const CURSOR =
  /^\{"version":1,"generation":"([A-Za-z0-9._~-]{1,64})","offset":(0|[1-9][0-9]{0,15})(?:,"mark":"([A-Za-z0-9_-]{11})")?\}$/;
/** A backup may be forged, and a mark goes into cursors. */
export function isMark(text: string): boolean {
  return MARK.test(text);
}

/** The longest text that the pattern takes, in Base64URL, rounded up. */
const MAX_CURSOR_LENGTH = 192;

export function encodeCursor({ generation, offset, mark }: MarkedCursor): string {
  if (!GENERATION.test(generation)) {
    throw new Error(`Cannot make a cursor of generation "${generation}"`);
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new Error(`Cannot make a cursor of offset ${offset}`);
  }
  if (!MARK.test(mark)) throw new Error(`Cannot make a cursor of mark "${mark}"`);
  const text = `{"version":1,"generation":"${generation}","offset":${offset},"mark":"${mark}"}`;
  return Buffer.from(text, "latin1").toString("base64url");
}

/** Null for every text that no version of `encodeCursor` would have written. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > MAX_CURSOR_LENGTH) return null;
  const decoded = Buffer.from(text, "base64url");
  const match = CURSOR.exec(decoded.toString("latin1"));
  // Node decodes leniently, so a text is canonical only if it is encoded to itself.
  if (match === null || decoded.toString("base64url") !== text) return null;
  const [, generation = "", digits = "", mark = null] = match;
  const offset = Number(digits);
  return Number.isSafeInteger(offset) ? { generation, offset, mark } : null;
}

/**
 * Whether the log can continue from here; a first pull, without a cursor, always can begin. `mark`
 * is the mark of the commit which the cursor's offset belongs to in this store.
 */
export function checkCursor(
  cursor: Cursor | null,
  log: LogHead,
  mark: string | null,
): RecoveryReason {
  if (cursor === null) return "none";
  // Offsets of different generations cannot be compared, so the generation is checked first.
  if (cursor.generation !== log.generation) return "generation_changed";
  if (cursor.offset > log.headOffset) return "cursor_ahead";
  if (cursor.offset < log.compactionFloor) return "missing_compacted_history";
  // The store was rolled back to an earlier state, and grew another history since.
  if (cursor.mark === null || cursor.mark !== mark) return "generation_changed";
  return "none";
}

/**
 * Whether the cursor has seen a history that this store has lost: the store was rolled back to an earlier
 * state together with its high-water mark, which begins no generation.
 */
export function knowsLostHistory(cursor: Cursor, log: LogHead, mark: string | null): boolean {
  if (cursor.generation !== log.generation || cursor.offset < log.compactionFloor) return false;
  return cursor.offset > log.headOffset || (cursor.mark !== null && cursor.mark !== mark);
}

const MARK_BYTES = 8;
/** A multiple of 3, so that the name is the beginning of the mark's text. */
const NAME_BYTES = 3;

/**
 * Makes a mark for a commit of the log, which a store keeps with the commit's last offset. Cursors carry
 * marks: after a rollback the store writes other marks at the same offsets, so the cursor of a device that
 * saw more is recognised.
 * @param history - the name that `LogRecords.nameHistory` set last, or null
 * @returns a random mark that begins with that name
 */
export function createMark(history: string | null): string {
  const bytes = randomBytes(history === null ? MARK_BYTES : MARK_BYTES - NAME_BYTES);
  return (history ?? "") + bytes.toString("base64url");
}

export function createHistoryName(): string {
  return randomBytes(NAME_BYTES).toString("base64url");
}
