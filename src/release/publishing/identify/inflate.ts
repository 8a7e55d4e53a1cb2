/** Inflates as much as is asked for and as the budget has, however little it was packed into. */
import { Readable } from "node:stream";
import { createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import { damaged, type Budget } from "./budget.ts";

const DECODERS = {
  gzip: createGunzip,
  zlib: createInflate,
  deflate: createInflateRaw,
  zstd: createZstdDecompress,
} as const;

export type Compression = keyof typeof DECODERS;

/** A decoder has windows of about this size, so one that yields nothing costs as much. */
const DECODER_BYTES = 64 * 1024;

export async function* inflate(
  compression: Compression,
  packed: AsyncIterable<Buffer>,
  budget: Budget,
): AsyncGenerator<Buffer> {
  budget.inflate(DECODER_BYTES);
  const source = Readable.from(packed, { objectMode: true, highWaterMark: 1 });
  const decoder = DECODERS[compression]({ chunkSize: DECODER_BYTES });
  source.once("error", (error) => decoder.destroy(error));
  try {
    for await (const piece of source.pipe(decoder)) {
      budget.inflate((piece as Buffer).length);
      yield piece as Buffer;
    }
  } catch (error) {
    throw isDecoderError(error) ? damaged() : error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

/** What the decoder says of its input; everything else is for the caller. */
function isDecoderError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z(?:STD)?_/.test(String(error.code));
}
