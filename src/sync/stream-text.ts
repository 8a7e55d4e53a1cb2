/** A response's body from pieces of text, of which memory holds a chunk at a time. */

const CHUNK_CHARACTERS = 64 * 1024;

/** The first chunk is read before the response begins, so that an unavailable store is a 503. */
export async function streamText(
  pieces: AsyncGenerator<string>,
): Promise<ReadableStream<Uint8Array>> {
  const chunks = toChunks(pieces);
  let next = await chunks.next();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(next.value));
      next = await chunks.next();
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}

async function* toChunks(pieces: AsyncGenerator<string>): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
  return undefined;
}
