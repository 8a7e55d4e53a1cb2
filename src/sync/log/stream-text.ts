import { inTurn } from "../../database/in-turn.ts";
import { toChunks } from "../../database/text-chunks.ts";

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
      next = await inTurn("device", () => chunks.next());
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}
