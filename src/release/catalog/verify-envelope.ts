/** Verifies a manifest envelope of many megabytes without keeping its payload as text. */
import { setImmediate } from "node:timers/promises";
import type { KeyRing } from "../../contract/release/catalog.ts";
import { verifyWithRingKey } from "./read-catalog.ts";

export interface VerifiedEnvelope {
  /** The payload in Base64URL, as a part of the envelope. */
  readonly letters: Buffer;
  readonly payload: Buffer<ArrayBuffer>;
}

// An envelope as Trellis writes it. Between the two only Base64URL decodes, so nothing can hide there.
const ENVELOPE_START = /^\{"schemaVersion":1,"keyId":"([\w.-]+)","algorithm":"ed25519","payload":"/;
const ENVELOPE_END = /","signature":"([\w-]+)"\}$/;

export async function verifyEnvelope(
  envelope: Buffer,
  keys: KeyRing,
): Promise<VerifiedEnvelope | null> {
  const start = ENVELOPE_START.exec(envelope.toString("latin1", 0, 512));
  const end = ENVELOPE_END.exec(envelope.toString("latin1", Math.max(0, envelope.length - 128)));
  if (start === null || end === null) return null;
  const publicKey = keys[start[1] ?? ""];
  const letters = envelope.subarray(start[0].length, envelope.length - end[0].length);
  const payload = await decodeBase64Url(letters);
  if (publicKey === undefined || payload === null) return null;
  const signature = Buffer.from(end[1] ?? "", "base64url");
  return (await verifyWithRingKey(publicKey, signature, payload)) ? { letters, payload } : null;
}

/** A piece consists of whole groups of four letters. */
const PIECE_LETTERS = 1 << 16;
const LETTERS_PER_TURN = 64 * PIECE_LETTERS;

/** Decodes in pieces, because V8 keeps a string of many megabytes much longer than a Buffer. */
async function decodeBase64Url(letters: Buffer): Promise<Buffer<ArrayBuffer> | null> {
  const bytes = Buffer.allocUnsafeSlow(Math.floor((letters.length * 3) / 4));
  let written = 0;
  for (let at = 0; at < letters.length; at += PIECE_LETTERS) {
    if (at % LETTERS_PER_TURN === 0) await setImmediate();
    const piece = letters.toString("latin1", at, at + PIECE_LETTERS);
    const length = bytes.write(piece, written, "base64url");
    // Buffer is lenient, so what it read is written again and compared.
    if (bytes.toString("base64url", written, written + length) !== piece) return null;
    written += length;
  }
  return bytes;
}

/** The text of so many bytes from `start` on, counted in what the letters decode to. */
export function decodePart(letters: Buffer, start: number, bytes: number): string {
  const [first, last] = [Math.floor(start / 3) * 4, Math.ceil((start + bytes) / 3) * 4];
  const part = Buffer.from(letters.toString("latin1", first, last), "base64url");
  return part.toString("utf8", start % 3, (start % 3) + bytes);
}
