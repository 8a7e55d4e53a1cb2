/** Compression of what is served again and again: RFC 9110 sections 8.4.1 and 12.5.3. */
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type BrotliOptions,
} from "node:zlib";
import { createBoundedCache } from "../contract/bounded-cache.ts";
import { readAcceptedValues } from "./accepted-values.ts";

/** The smallest first. */
export const CONTENT_CODINGS = ["br", "gzip"] as const;

export type ContentCoding = (typeof CONTENT_CODINGS)[number];
export type ContentEncoding = ContentCoding | "identity";

/** Of 300 KB of script, a higher quality takes 6 % and costs the first visitor a second. */
const BROTLI = brotliOfQuality(9);
const GZIP = { level: constants.Z_BEST_COMPRESSION };
/** JSON of 5 KB is 1 % smaller at quality 9, and takes fifteen times as long. */
const QUICK_BROTLI = brotliOfQuality(5);

/** Images other than SVG, archives and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|image\/svg\+xml|application\/(?:json|manifest\+json|xml)\b)/;

export function isCompressible(mediaType: string): boolean {
  return COMPRESSIBLE.test(mediaType);
}

/** Clients send few different fields: to parse one takes 4 % of a compressed response. */
const encodingsByField = createBoundedCache<string, ContentEncoding>(64);

/**
 * The encoding that the client weighs most, and the smallest of equals. One that it refuses altogether
 * gets what it would get without the field: no service has a response for that.
 */
export function chooseEncoding(acceptEncoding: string | null): ContentEncoding {
  if (acceptEncoding === null) return "identity";
  return encodingsByField.getOrCreate(acceptEncoding, () => weighEncodings(acceptEncoding));
}

function weighEncodings(acceptEncoding: string): ContentEncoding {
  const weights = new Map(readAcceptedValues(acceptEncoding));
  const weigh = (name: ContentEncoding) => weights.get(name) ?? weights.get("*") ?? 0;
  let best: ContentEncoding = "identity";
  for (const name of CONTENT_CODINGS.toReversed()) {
    const weight = weigh(name);
    if (weight > 0 && weight >= weigh(best)) best = name;
  }
  return best;
}

export async function encodeContent(
  body: string | Uint8Array<ArrayBuffer>,
  encoding: ContentEncoding,
): Promise<string | Uint8Array<ArrayBuffer>> {
  switch (encoding) {
    case "br":
      return promisify(brotliCompress)(body, BROTLI);
    case "gzip":
      return promisify(gzip)(body, GZIP);
    case "identity":
      return body;
  }
}

/** For a body of megabytes, which would keep other requests waiting. */
export async function compressInBackground(
  body: string | Uint8Array<ArrayBuffer>,
  encoding: ContentCoding,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await (encoding === "br"
      ? promisify(brotliCompress)(body, QUICK_BROTLI)
      : promisify(gzip)(body, GZIP)),
  );
}

/** For JSON that is made while a catalogue is loaded, or when it is first requested. */
export function compressAtOnce(
  body: string | Uint8Array<ArrayBuffer>,
  encoding: ContentCoding,
): Uint8Array<ArrayBuffer> {
  const compressed =
    encoding === "br" ? brotliCompressSync(body, QUICK_BROTLI) : gzipSync(body, GZIP);
  // What zlib returns keeps a buffer of at least 16 KiB alive.
  return new Uint8Array(compressed);
}

function brotliOfQuality(quality: number): BrotliOptions {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
}
