/** GET /v1/snapshot: every entity's state at one moment, streamed from the store. */
import { encodeCursor } from "./cursor.ts";
import { parseEntityState } from "../rules/sync/entity-state-text.ts";
import { snapshotEntityToText } from "../rules/sync/visible-entity.ts";
import type { MarkedHead, OperationStore } from "./store.ts";

const CHUNK_CHARACTERS = 64 * 1024;

export async function snapshotBody(
  operations: OperationStore,
): Promise<ReadableStream<Uint8Array>> {
  const chunks = snapshotChunks(operations);
  // The first chunk is read before the response begins, so that an unavailable store is a 503.
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

async function* snapshotChunks(operations: OperationStore): AsyncGenerator<string, undefined> {
  let text = "";
  let isFirst = true;
  for await (const { head, state } of operations.snapshot()) {
    if (text === "" && isFirst) text = snapshotOpening(head);
    if (state === null) continue;
    text += `${isFirst ? "" : ","}${snapshotEntityToText(parseEntityState(state))}`;
    isFirst = false;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  yield `${text}]}`;
  return undefined;
}

function snapshotOpening({ generation, headOffset: offset, mark }: MarkedHead): string {
  return `{"schemaVersion":1,"cursor":"${encodeCursor({ generation, offset, mark })}","entities":[`;
}
