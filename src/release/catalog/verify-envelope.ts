/**
 * Verifies a signed manifest as the bytes it is. A long history makes an envelope of many megabytes,
 * so its payload is neither made into text nor held beside it.
 */
import { setImmediate } from "node:timers/promises";
import type { KeyRing } from "../../contract/release/catalog.ts";
import { checkSignature, type ManifestError } from "../../rules/release/open-manifest.ts";
import {
  decodedLength,
  decodeInPlace,
  decodePart,
  encodeInPlace,
  type LetterRange,
} from "./decode-in-place.ts";
import { decodePayload, verifyEd25519 } from "./ed25519.ts";

export interface SignedEnvelope {
  readonly kind: "signed";
  readonly keyId: string;
  readonly payload: SignedPayload;
}

export interface SignedPayload {
  readonly length: number;
  /** Shorter when the payload ends before; good until the next part is read. */
  read(start: number, length: number): Buffer;
  /** Whether parts of it can be read at any time for the price of their length. */
  readonly isInEnvelope: boolean;
}

/** The envelope must be nobody else's until this is done, and is then as it was. */
export async function verifyEnvelope(
  envelope: Buffer<ArrayBuffer>,
  keys: KeyRing,
): Promise<SignedEnvelope | ManifestError> {
  const found = findPayload(envelope);
  const length = found && (await decodeInPlace(envelope, found.place));
  if (found === null || length === null) return verifyText(envelope.toString("utf8"), keys);
  const { place, text } = found;
  const bytes = new Uint8Array(envelope.buffer, envelope.byteOffset + place.start, length);
  await setImmediate();
  try {
    const signed = await checkSignature(text, keys, {
      verifyEd25519,
      decodePayload: () => bytes,
    });
    if (signed.kind !== "signed") return signed;
    const { kind, keyId } = signed;
    return { kind, keyId, payload: payloadIn(envelope, place) };
  } finally {
    await setImmediate();
    await encodeInPlace(envelope, place);
  }
}

async function verifyText(text: string, keys: KeyRing): Promise<SignedEnvelope | ManifestError> {
  const signed = await checkSignature(text, keys, { verifyEd25519, decodePayload });
  if (signed.kind !== "signed") return signed;
  const { kind, keyId } = signed;
  const bytes = Buffer.from(signed.bytes);
  const read = (start: number, length: number) => bytes.subarray(start, start + length);
  return { kind, keyId, payload: { length: bytes.length, read, isInEnvelope: false } };
}

function payloadIn(envelope: Buffer, place: LetterRange): SignedPayload {
  return {
    length: decodedLength(place),
    read: (start, length) => decodePart(envelope, place, start, length),
    isInEnvelope: true,
  };
}

/** Everything but the payload has a few hundred bytes. */
const MAX_REST_BYTES = 4096;
const NAME = '"payload"';
const BEFORE_VALUE = /^"payload"[ \t\r\n]*:[ \t\r\n]*"/;
/** Stands for the payload in the text that the rules read. */
const STAND_IN = "payload";

interface FoundPayload {
  readonly place: LetterRange;
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
