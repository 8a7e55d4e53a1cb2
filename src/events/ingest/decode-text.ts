/** Bytes of a source as text. Only UTF-8: a guess at anything else would turn umlauts into rubbish. */
import type { FeedError } from "../../rules/events/ingest/entry.ts";

export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: FeedError };

export function decodeText(bytes: Uint8Array): DecodedText {
  if (looksLikeUtf16(bytes)) return refuse("it looks like UTF-16");
  try {
    // A byte order mark is left out by the decoder.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.trim() === "" ? { ok: false, fault: { code: "empty" } } : { ok: true, text };
  } catch {
    return refuse("it looks like Latin-1 or Windows-1252, or is no text at all");
  }
}

const SAMPLE_BYTES = 1_000;

/** By its byte order mark, or because every other byte of Western text is zero. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return zeros * 4 > sample.length;
}

function refuse(detail: string): DecodedText {
  return { ok: false, fault: { code: "bad-encoding", detail } };
}
