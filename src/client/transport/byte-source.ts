/** Bytes in chunks, as browsers (`ReadableStream`) and Node (`AsyncIterable`) provide them. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export async function* readChunks(source: ByteSource): AsyncGenerator<Uint8Array, void> {
  // Not every browser can iterate a stream.
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
    // Ends the transfer of a source that was not read to its end; a failure changes nothing.
    reader.cancel().catch(() => {});
  }
}
