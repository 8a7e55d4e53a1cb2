/** GET /v1/snapshot: every entity's state at one moment, streamed from the store. */
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { sealedEntityToText, snapshotEntityToText } from "../../rules/sync/visible-entity.ts";
import type { MarkedHead, OperationStore } from "../store.ts";
import { encodeCursor } from "./cursor.ts";
import { streamText } from "./stream-text.ts";

type SnapshotSource = Pick<OperationStore, "head" | "snapshot" | "sealedSnapshot">;

export async function snapshotBody(
  operations: SnapshotSource,
): Promise<ReadableStream<Uint8Array>> {
  const { keyId } = await operations.head();
  return streamText(
    snapshotPieces(keyId === null ? clearEntities(operations) : sealedEntities(operations)),
  );
}

interface SnapshotItem {
  readonly head: MarkedHead;
  /** Null when there are no entities. */
  readonly entity: string | null;
}

async function* clearEntities(operations: SnapshotSource): AsyncGenerator<SnapshotItem> {
  for await (const { head, state } of operations.snapshot()) {
    yield { head, entity: state === null ? null : snapshotEntityToText(parseEntityState(state)) };
  }
}

/** What a device opens is a whole operation, so these stand in the place of registers. */
async function* sealedEntities(operations: SnapshotSource): AsyncGenerator<SnapshotItem> {
  for await (const { head, entity } of operations.sealedSnapshot()) {
    const text = entity && sealedEntityToText(parseEntityState(entity.state), entity.operations);
    yield { head, entity: text };
  }
}

async function* snapshotPieces(items: AsyncIterable<SnapshotItem>): AsyncGenerator<string> {
  let isOpened = false;
  let isFirst = true;
  for await (const { head, entity } of items) {
    if (!isOpened) yield snapshotOpening(head);
    isOpened = true;
    if (entity === null) continue;
    yield `${isFirst ? "" : ","}${entity}`;
    isFirst = false;
  }
  yield "]}";
}

function snapshotOpening({ generation, headOffset: offset, mark }: MarkedHead): string {
  return `{"schemaVersion":1,"cursor":"${encodeCursor({ generation, offset, mark })}","entities":[`;
}
