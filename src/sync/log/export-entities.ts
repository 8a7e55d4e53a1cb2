/** Every live entity as JSON that a person or a spreadsheet can read; sealed ones as their owner can open them. */
import type { AccountKey } from "../../contract/sync/schemas.ts";
import { placeFile, writeLines } from "../../database/place-file.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { fieldsToText, visibleEntity } from "../../rules/sync/visible-entity.ts";
import type { OperationStore, SyncStore } from "../store.ts";

export type ExportSource = Pick<SyncStore, "keys" | "operations">;

/** Returns how many entities were written. `path` must not exist. */
export function exportToFile(store: ExportSource, path: string, now: number): Promise<number> {
  return placeFile(path, async (draft) => {
    let count = 0;
    await writeLines(
      draft,
      exportLines(store, now, () => count++),
    );
    return count;
  });
}

/** `onEntity` is called for each entity of an app. */
export async function* exportLines(
  { keys, operations }: ExportSource,
  now: number,
  onEntity: () => void = () => {},
): AsyncGenerator<string> {
  const exportedAt = new Date(now).toISOString();
  const { keyId } = await operations.head();
  yield* keyId === null
    ? toExportLines(exportedAt, listEntities(operations, onEntity))
    : toExportLines(exportedAt, listSealedEntities(operations, onEntity), keys.list());
}

/** Only whole operations open, so these stand in the place of values. */
async function* listSealedEntities(
  operations: OperationStore,
  onEntity: () => void,
): AsyncGenerator<string> {
  for await (const { entity } of operations.sealedSnapshot()) {
    if (entity === null) continue;
    const { entityId, lifecycleRevision, deleted } = parseEntityState(entity.state);
    if (lifecycleRevision === null || deleted) continue;
    onEntity();
    yield `{"entityId":${JSON.stringify(entityId)},"operations":[${entity.operations.join(",")}]}`;
  }
}

async function* listEntities(
  operations: OperationStore,
  onEntity: () => void,
): AsyncGenerator<string> {
  for await (const { state } of operations.snapshot()) {
    const entity = state === null ? null : visibleEntity(parseEntityState(state));
    if (entity === null || entity.deleted) continue;
    onEntity();
    const { entityId, payload, metadata } = entity;
    yield exportedEntityToText(entityId, fieldsToText(payload), fieldsToText(metadata));
  }
}

/** Each entity has a line of its own, and so has each key of an encrypted account. */
export async function* toExportLines(
  exportedAt: string,
  entities: AsyncIterable<string>,
  keys?: AsyncIterable<AccountKey>,
): AsyncGenerator<string> {
  const opening = `{"schemaVersion":1,"exportedAt":${JSON.stringify(exportedAt)},`;
  if (keys === undefined) {
    yield `${opening}"entities":[`;
  } else {
    yield `${opening}"keys":[`;
    yield* separate(toTexts(keys));
    yield `],"entities":[`;
  }
  yield* separate(entities);
  yield "]}";
}

async function* toTexts(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
}

async function* separate(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let previous: string | null = null;
  for await (const text of texts) {
    if (previous !== null) yield `${previous},`;
    previous = text;
  }
  if (previous !== null) yield previous;
}

/** Values are written as they were pushed, so no number is rounded. */
export function exportedEntityToText(entityId: string, payload: string, metadata: string): string {
  return `{"entityId":${JSON.stringify(entityId)},"payload":${payload},"metadata":${metadata}}`;
}
