import type { FairTurns } from "./fair-turns.ts";

/** Notices the end of a response's body: read to the end, failed or cancelled. */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  takeTurn: (() => ReturnType<FairTurns["take"]>) | null,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const endTurn = await takeTurn?.();
        try {
          const next = await reader.read();
          if (!next.done) return controller.enqueue(next.value);
          controller.close();
        } catch (error) {
          controller.error(error);
        } finally {
          endTurn?.();
        }
        onEnd();
      },
      async cancel(reason) {
        try {
          await reader.cancel(reason);
        } finally {
          onEnd();
        }
      },
    },
    // Nothing is read before its consumer asks for it.
    { highWaterMark: 0 },
  );
}
