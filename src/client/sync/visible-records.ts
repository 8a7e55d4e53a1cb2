/** What the records show: entities, by the app's ids, and what cannot be read. */
import { isRefused, toVisible, type StoredOperations } from "./entity-record.ts";
import { changeView, EMPTY_VIEW } from "./entity-view.ts";
import { isSameEntity, parseEntity, type StoredEntity } from "./entity.ts";
import type { RecordForm, UnreadableOperation } from "./record-form.ts";

/** What is stored, by the ids of the records. */
export type StoredById = ReadonlyMap<string, StoredOperations>;

export function createVisibleRecords(form: RecordForm) {
  let view = EMPTY_VIEW;
  const unreadable = new Map<string, readonly UnreadableOperation[]>();

  /** Returns the ids of the entities that are other ones now. */
  function show(changes: StoredById): readonly string[] {
    const entities = new Map<string, StoredEntity | undefined>();
    for (const [recordId, stored] of changes) {
      const visible = toVisible(form, stored);
      const flags = stored.some(isRefused) ? ({ refused: true } as const) : {};
      const entity = visible === null ? undefined : parseEntity(visible, flags);
      const entityId = form.entityIdOf(recordId);
      // Most pages only confirm what is shown already: the entity stays the same object.
      if (entityId !== undefined && !isSameEntity(entity, view.get(entityId))) {
        entities.set(entityId, entity);
      }
      const listed = form.listUnreadable(stored);
      if (listed.length > 0) unreadable.set(recordId, listed);
      else unreadable.delete(recordId);
    }
    if (entities.size > 0) view = changeView(view, entities);
    return [...entities.keys()];
  }

  return {
    show,
    entities: () => view,
    unreadable: (): readonly UnreadableOperation[] => [...unreadable.values()].flat(),
  };
}
