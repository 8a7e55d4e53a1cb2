/** Every live entity as JSON that a person or a spreadsheet can read. */
import { placeFile, writeLines } from "../../database/place-file.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import {
  fieldsToText,
  visibleEntity,
  type VisibleEntity,
} from "../../rules/sync/visible-entity.ts";
import type { OperationStore } from "../store.ts";

/** Returns how many entities were written. `path` must not exist. */
export function exportToFile(
  operations: OperationStore,
  path: string,
  now: number,
): Promise<number> {
  return placeFile(path, async (draft) => {
    let count = 0;
    await writeLines(
      draft,
      exportLines(operations, now, () => count++),
    );
    return count;
  });
}

/** Each entity has a line of its own. */
export async function* exportLines(
  operations: OperationStore,
  now: number,
  onEntity: () => void = () => {},
): AsyncGenerator<string> {
  yield `{"schemaVersion":1,"exportedAt":"${new Date(now).toISOString()}","entities":[`;
  let previous: string | null = null;
  for await (const { state } of operations.snapshot()) {
    const entity = state === null ? null : visibleEntity(parseEntityState(state));
    if (entity === null || entity.deleted) continue;
    onEntity();
    if (previous !== null) yield `${previous},`;
    previous = entityToText(entity);
  }
  if (previous !== null) yield previous;
  yield "]}";
}

/** Values are written as they were pushed, so no number is rounded. */
function entityToText({ entityId, payload, metadata }: VisibleEntity): string {
  return `{"entityId":${JSON.stringify(entityId)},"payload":${fieldsToText(payload)},"metadata":${fieldsToText(metadata)}}`;
}
