/** Exports every live entity as JSON that a person or a spreadsheet can read. */
import type { Database } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { visibleEntity, type VisibleEntity } from "../../rules/sync/visible-entity.ts";
import { placeFile, writeLines } from "../../database/backup/place-file.ts";

/** Returns how many entities were written. `path` must not exist. */
export function exportEntities(database: Database, path: string, now: number): Promise<number> {
  return placeFile(path, async (draft) => {
    let count = 0;
    const lines = exportLines(database, now, () => count++);
    await writeLines(draft, lines);
    return count;
  });
}

async function* exportLines(
  database: Database,
  now: number,
  onEntity: () => void,
): AsyncGenerator<string> {
  yield `{"schemaVersion":1,"exportedAt":"${new Date(now).toISOString()}","entities":[`;
  let previous: string | null = null;
  const rows = database.stream<{ state: string }>(
    `SELECT state FROM sync_entities
     ORDER BY entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
  );
  for await (const { state } of rows) {
    const entity = visibleEntity(parseEntityState(state));
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
  return `{"entityId":${JSON.stringify(entityId)},"payload":${toText(payload)},"metadata":${toText(metadata)}}`;
}

function toText(fields: ReadonlyMap<string, string>): string {
  return `{${[...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}
