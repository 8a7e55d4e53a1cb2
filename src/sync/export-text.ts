/** Every live entity as JSON that a person or a spreadsheet can read. */
import { parseEntityState } from "../rules/sync/entity-state-text.ts";
import { visibleEntity, type VisibleEntity } from "../rules/sync/visible-entity.ts";

/** As lines: each entity has one of its own. */
export async function* exportLines(
  states: AsyncIterable<string>,
  now: number,
  onEntity: () => void = () => {},
): AsyncGenerator<string> {
  yield `{"schemaVersion":1,"exportedAt":"${new Date(now).toISOString()}","entities":[`;
  let previous: string | null = null;
  for await (const state of states) {
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
