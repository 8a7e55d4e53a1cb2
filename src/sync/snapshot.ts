/** GET /v1/snapshot: every entity's state at one moment, written as it is read. */
import { encodeCursor } from "./cursor.ts";
import { parseEntityState } from "../rules/sync/entity-state-text.ts";
import { snapshotEntityToText } from "../rules/sync/visible-entity.ts";
import type { LogHead, OperationStore } from "./store.ts";

/** Small enough to keep memory flat, large enough to keep writes few. */
const CHUNK_CHARACTERS = 64 * 1024;

export async function snapshotBody(
  operations: OperationStore,
): Promise<ReadableStream<Uint8Array>> {
  const parts = snapshotParts(operations);
  // The first part is read before the answer begins, so that a store that is down is still a 503.
  let next = await parts.next();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(next.value));
      next = await parts.next();
    },
    cancel: async () => void (await parts.return(undefined)),
  });
}

async function* snapshotParts(operations: OperationStore): AsyncGenerator<string, undefined> {
  let text = "";
  let isFirst = true;
  for await (const { head, state } of operations.snapshot()) {
    if (text === "" && isFirst) text = openingOf(head);
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

function openingOf({ generation, headOffset: offset }: LogHead): string {
  return `{"schemaVersion":1,"cursor":"${encodeCursor({ generation, offset })}","entities":[`;
}
