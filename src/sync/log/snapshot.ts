/** GET /v1/snapshot: every entity's state at one moment, streamed from the store. */
import { encodeCursor } from "./cursor.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { snapshotEntityToText } from "../../rules/sync/visible-entity.ts";
import type { MarkedHead, OperationStore } from "../store.ts";
import { streamText } from "./stream-text.ts";

type SnapshotSource = Pick<OperationStore, "snapshot">;

export function snapshotBody(operations: SnapshotSource): Promise<ReadableStream<Uint8Array>> {
  return streamText(snapshotPieces(operations));
}

async function* snapshotPieces(operations: SnapshotSource): AsyncGenerator<string> {
  let isOpened = false;
  let isFirst = true;
  for await (const { head, state } of operations.snapshot()) {
    if (!isOpened) yield snapshotOpening(head);
    isOpened = true;
    if (state === null) continue;
    yield `${isFirst ? "" : ","}${snapshotEntityToText(parseEntityState(state))}`;
    isFirst = false;
  }
  yield "]}";
}

function snapshotOpening({ generation, headOffset: offset, mark }: MarkedHead): string {
  return `{"schemaVersion":1,"cursor":"${encodeCursor({ generation, offset, mark })}","entities":[`;
}
