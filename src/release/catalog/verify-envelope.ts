/**
 * Verifies a signed manifest as the bytes it is. A long history makes an envelope of many megabytes,
 * so its payload is never made into text: it is found in the envelope and decoded piece by piece.
 */
import { setImmediate } from "node:timers/promises";
import type { KeyRing } from "../../contract/release/catalog.ts";
import {
  checkSignature,
  type ManifestProblem,
  type SignedBytes,
} from "../../rules/release/open-manifest.ts";
import { nodePrimitives } from "./ed25519.ts";

export interface SignedEnvelope extends SignedBytes {
  /** Where the payload's text stands in the envelope; null when that has to be parsed to be known. */
  readonly place: PayloadPlace | null;
}

export interface PayloadPlace {
  readonly start: number;
  readonly end: number;
}

export async function verifyEnvelope(
  envelope: Buffer,
  keys: KeyRing,
): Promise<SignedEnvelope | ManifestProblem> {
  const found = findPayload(envelope);
  const payload = found && (await decodePiecewise(envelope, found.place));
  const signed =
    payload === null
      ? await checkSignature(envelope.toString("utf8"), keys, nodePrimitives)
      : await checkSignature(found?.text ?? "", keys, {
          ...nodePrimitives,
          decodeBase64Url: () => payload,
        });
  if (signed.kind !== "signed") return signed;
  return { ...signed, place: payload === null ? null : (found?.place ?? null) };
}

/** Everything but the payload has a few hundred bytes. */
const MAX_REST_BYTES = 4096;
const NAME = '"payload"';
const BEFORE_VALUE = /^"payload"[ \t\r\n]*:[ \t\r\n]*"/;
/** Stands for the payload in the text that the rules read. */
const STAND_IN = "payload";

interface FoundPayload {
  readonly place: PayloadPlace;
  /** The envelope with the stand-in. */
  readonly text: string;
}

/** Null when it cannot be told from a glance which part is the payload. */
function findPayload(envelope: Buffer): FoundPayload | null {
  const name = envelope.subarray(0, MAX_REST_BYTES).indexOf(NAME);
  if (name < 0) return null;
  const before = BEFORE_VALUE.exec(envelope.toString("latin1", name, name + 64))?.[0];
  if (before === undefined) return null;
  const start = name + before.length;
  const end = envelope.indexOf('"', start);
  const restBytes = envelope.length - end + start;
  if (end <= start || restBytes > MAX_REST_BYTES) return null;
  const head = envelope.toString("utf8", 0, start);
  const tail = envelope.toString("utf8", end);
  const rest = head.slice(0, -before.length) + tail;
  // A second member of that name, perhaps in disguise: the last one would count.
  if (rest.includes("payload") || rest.includes("\\")) return null;
  return { place: { start, end }, text: head + STAND_IN + tail };
}

/** Whole groups of four letters, so that each piece stands for itself. */
const PIECE_LETTERS = 1 << 16;
const PIECES_PER_TURN = 64;

/** As strict as the rules: null for any but canonical text. */
async function decodePiecewise(
  envelope: Buffer,
  { start, end }: PayloadPlace,
): Promise<Buffer<ArrayBuffer> | null> {
  const bytes = Buffer.allocUnsafeSlow(Math.floor(((end - start) * 3) / 4));
  let written = 0;
  let pieces = 0;
  for (let at = start; at < end; at += PIECE_LETTERS) {
    const text = envelope.toString("latin1", at, Math.min(at + PIECE_LETTERS, end));
    const length = bytes.write(text, written, "base64url");
    if (bytes.toString("base64url", written, written + length) !== text) return null;
    written += length;
    if (++pieces % PIECES_PER_TURN === 0) await setImmediate();
  }
  return bytes;
}

/** A part of the payload, in bytes of the payload. */
export function cutPayload(
  envelope: Buffer,
  place: PayloadPlace,
  start: number,
  length: number,
): Buffer {
  const first = place.start + Math.floor(start / 3) * 4;
  const last = Math.min(place.start + Math.ceil((start + length) / 3) * 4, place.end);
  const bytes = Buffer.from(envelope.toString("latin1", first, last), "base64url");
  return bytes.subarray(start % 3, (start % 3) + length);
}
