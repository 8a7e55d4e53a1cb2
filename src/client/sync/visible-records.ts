/** What the records show: entities, by the app's ids, and what cannot be read. */
import {
  isRefused,
  parseStoredOperations,
  toVisible,
  type StoredOperations,
} from "./entity-record.ts";
import { changeView, EMPTY_VIEW, type EntityView } from "./entity-view.ts";
import { isSameEntity, parseEntity, type StoredEntity } from "./entity.ts";
import { findPlainEntity, readPlainEntity } from "./plain-entity.ts";
import type { RecordForm, UnreadableOperation } from "./record-form.ts";
import { ENTITY_PREFIX } from "./records.ts";
import type { EntityPage } from "./entity-pages.ts";

/** What is stored, by the ids of the records. */
export type StoredById = ReadonlyMap<string, StoredOperations>;

export function createVisibleRecords(form: RecordForm) {
  let view = EMPTY_VIEW;
  /** What pages of the storage brought since: a view for each of them would copy all before it. */
  let unshown = new Map<string, StoredEntity>();
  const unreadable = new Map<string, readonly UnreadableOperation[]>();

  /** Returns the ids of the entities that are other ones now. */
  function show(changes: StoredById): readonly string[] {
    showPages();
    const entities = new Map<string, StoredEntity | undefined>();
    for (const [recordId, stored] of changes) {
      const plain = form.kind === "clear" ? findPlainEntity(stored) : undefined;
      const entity = plain ?? mergeEntity(stored);
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

  function mergeEntity(stored: StoredOperations): StoredEntity | undefined {
    const visible = toVisible(form, stored);
    const flags = stored.some(isRefused) ? ({ refused: true } as const) : {};
    return visible === null ? undefined : parseEntity(visible, flags);
  }

  function showPages(): void {
    if (unshown.size > 0) view = changeView(view, unshown);
    unshown = new Map();
  }

  /** Takes a page of the storage. */
  function takePage({ entities = [], records }: EntityPage): void {
    for (const entity of entities) takeEntity(entity);
    const others = new Map<string, StoredOperations>();
    for (const [key, text] of records) {
      const entity = form.kind === "clear" ? readPlainEntity(text) : undefined;
      if (entity === undefined) {
        others.set(key.slice(ENTITY_PREFIX.length), parseStoredOperations(text));
      } else takeEntity(entity);
    }
    if (others.size > 0) show(others);
  }

  function takeEntity(entity: StoredEntity): void {
    const shown = view.get(entity.entityId);
    if (shown === undefined || !isSameEntity(entity, shown)) unshown.set(entity.entityId, entity);
  }

  return {
    show,
    takePage,
    /** Shows the pages that were taken, too. */
    entities(): EntityView {
      showPages();
      return view;
    },
    unreadable: (): readonly UnreadableOperation[] => [...unreadable.values()].flat(),
  };
}
