/** The body of an answer, unpacked as it comes, and never more of it than allowed. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-fault.ts";

export type BodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: FetchErrorCode };

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

class TooLargeError extends Error {}

/** `maxBytes` counts twice: as it comes over the wire, and unpacked. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) return refuse("too-large");
  const coding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const createDecoder = DECODERS.get(coding);
  if (createDecoder === undefined && coding !== "identity" && coding !== "") {
    return refuse("bad-compression");
  }
  const chunks: Uint8Array[] = [];
  const gather = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  try {
    await (createDecoder === undefined
      ? pipeline(response, limitBytes(maxBytes), gather)
      : pipeline(response, limitBytes(maxBytes), createDecoder(), limitBytes(maxBytes), gather));
  } catch (error) {
    if (error instanceof TooLargeError) return refuse("too-large");
    if (isFromDecoder(error)) return refuse("bad-compression");
    throw error;
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
}

function limitBytes(maxBytes: number) {
  return async function* count(source: AsyncIterable<Uint8Array>) {
    let total = 0;
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw new TooLargeError();
      yield chunk;
    }
  };
}

/** Those of zlib have a code like `Z_DATA_ERROR`, those of Brotli one like `ERR__ERROR_FORMAT_…`. */
function isFromDecoder(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(?:Z_|ERR__|ERR_BROTLI)/.test(String(error.code))
  );
}

function refuse(fault: FetchErrorCode): BodyResult {
  return { ok: false, fault };
}
