/**
 * Base64URL of many megabytes, decoded where it stands: bytes need less room than their letters, so
 * neither a second buffer nor a text of that size is made. Other work gets its turn in between.
 */
import { setImmediate } from "node:timers/promises";

export interface LetterRange {
  readonly start: number;
  readonly end: number;
}

/** Whole groups of four letters, so that each piece stands for itself. */
const PIECE_LETTERS = 1 << 16;
const PIECE_BYTES = (PIECE_LETTERS / 4) * 3;
const PIECES_PER_TURN = 64;

/** How many bytes now stand at `start`; null, and nothing has changed, when the text is not canonical. */
export async function decodeInPlace(
  buffer: Buffer,
  { start, end }: LetterRange,
): Promise<number | null> {
  let written = 0;
  for (let at = start, piece = 1; at < end; at += PIECE_LETTERS, piece++) {
    const letters = buffer.toString("latin1", at, Math.min(at + PIECE_LETTERS, end));
    const to = start + written;
    const length = buffer.write(letters, to, "base64url");
    // Buffer is lenient, so what it read is written again and compared.
    if (buffer.toString("base64url", to, to + length) !== letters) {
      buffer.write(letters, at, "latin1");
      await encodeInPlace(buffer, { start, end: at });
      return null;
    }
    written += length;
    if (piece % PIECES_PER_TURN === 0) await setImmediate();
  }
  return written;
}

/** Turns what was decoded into its letters again, from the end on: so no byte is overwritten unread. */
export async function encodeInPlace(buffer: Buffer, { start, end }: LetterRange): Promise<void> {
  const bytesEnd = start + decodedLength({ start, end });
  const pieces = Math.ceil((end - start) / PIECE_LETTERS);
  for (let piece = pieces - 1; piece >= 0; piece--) {
    const from = start + piece * PIECE_BYTES;
    const letters = buffer.toString("base64url", from, Math.min(from + PIECE_BYTES, bytesEnd));
    buffer.write(letters, start + piece * PIECE_LETTERS, "latin1");
    if (piece % PIECES_PER_TURN === 0) await setImmediate();
  }
}

export function decodedLength({ start, end }: LetterRange): number {
  return Math.floor(((end - start) * 3) / 4);
}

/** A part of what the letters say, counted in bytes. Small parts are good until the next one is read. */
export function decodePart(
  buffer: Buffer,
  letters: LetterRange,
  start: number,
  length: number,
): Buffer {
  const first = letters.start + Math.floor(start / 3) * 4;
  const last = Math.min(letters.start + Math.ceil((start + length) / 3) * 4, letters.end);
  const text = buffer.toString("latin1", first, last);
  const room = last - first > shared.length ? Buffer.allocUnsafeSlow(last - first) : shared;
  const written = room.write(text, "base64url");
  return room.subarray(start % 3, Math.min((start % 3) + length, written));
}

// Thousands of parts are read one after the other: one buffer serves all.
const shared = Buffer.allocUnsafeSlow(64 * 1024);
