/** Compression of files that are served again and again: RFC 9110 sections 8.4.1 and 12.5.3. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { readAcceptedValues } from "./accepted-values.ts";

/** The smallest first. */
const ENCODINGS = ["br", "gzip"] as const;

export type ContentEncoding = (typeof ENCODINGS)[number] | "identity";

/** Of 300 KB of script, a higher quality takes 6 % and costs the first visitor a second. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const GZIP = { level: constants.Z_BEST_COMPRESSION };

/** Images other than SVG, archives and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|image\/svg\+xml|application\/(?:json|manifest\+json|xml)\b)/;

export function isCompressible(mediaType: string): boolean {
  return COMPRESSIBLE.test(mediaType);
}

/** The smallest encoding that the client takes; browsers weigh all of them the same. */
export function chooseEncoding(acceptEncoding: string | null): ContentEncoding {
  const weights = new Map(readAcceptedValues(acceptEncoding));
  return ENCODINGS.find((name) => (weights.get(name) ?? weights.get("*") ?? 0) > 0) ?? "identity";
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
