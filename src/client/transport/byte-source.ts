/** Bytes in pieces, as browsers (`ReadableStream`) and Node (`AsyncIterable`) hand them out. */

export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export async function* readChunks(source: ByteSource): AsyncGenerator<Uint8Array, void> {
  // Not every browser can iterate a stream, so it is read the old way.
  if (!("getReader" in source)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Leaving early ends the transfer; nobody waits for it, and its failure changes nothing.
    reader.cancel().catch(() => {});
  }
}
