/** Visible entities at one moment; views share a base and differ in a small overlay, so a change is cheap. */
import type { StoredEntity } from "./entity.ts";

export interface EntityView {
  readonly size: number;
  get(entityId: string): StoredEntity | undefined;
  has(entityId: string): boolean;
  /** Entities of one type, or all, by entity id; the same list until one of the type changes. */
  list(type?: string): readonly StoredEntity[];
  keys(): IterableIterator<string>;
  values(): IterableIterator<StoredEntity>;
  entries(): IterableIterator<EntityEntry>;
  [Symbol.iterator](): IterableIterator<EntityEntry>;
}

export type EntityEntry = readonly [entityId: string, entity: StoredEntity];

/** Undefined removes the entity. */
export type EntityChanges = ReadonlyMap<string, StoredEntity | undefined>;

interface Layers {
  readonly base: Base;
  readonly overlay: EntityChanges;
  readonly size: number;
  /** The lists that were asked for, by type; the empty text stands for all. */
  readonly lists: Map<string, readonly StoredEntity[]>;
}

interface Base {
  readonly entities: ReadonlyMap<string, StoredEntity>;
  readonly sortedIds: Map<string, readonly string[]>;
}

const layersOf = new WeakMap<EntityView, Layers>();

export const EMPTY_VIEW: EntityView = toView(fromBase(new Map()));

export function changeView(view: EntityView, changes: EntityChanges): EntityView {
  const { base, overlay, size, lists } = layersOf.get(view) ?? fromBase(new Map());
  let change = 0;
  for (const [entityId, entity] of changes) {
    change += Number(entity !== undefined) - Number(view.has(entityId));
  }
  const merged = new Map([...overlay, ...changes]);
  if (merged.size > maxOverlay(base.entities.size, changes.size)) {
    return toView(fromBase(flatten(base, merged)));
  }
  const unchanged = new Map(lists);
  unchanged.delete("");
  for (const entityId of changes.keys()) unchanged.delete(typeOf(entityId));
  return toView({ base, overlay: merged, size: size + change, lists: unchanged });
}

/** Balances copying the overlay at each change and copying the base now and then. */
function maxOverlay(baseSize: number, changes: number): number {
  return 32 + Math.sqrt(baseSize * changes);
}

function fromBase(entities: ReadonlyMap<string, StoredEntity>): Layers {
  const base = { entities, sortedIds: new Map<string, readonly string[]>() };
  return { base, overlay: new Map(), size: entities.size, lists: new Map() };
}

function flatten(base: Base, overlay: EntityChanges): Map<string, StoredEntity> {
  const entities = new Map(base.entities);
  for (const [entityId, entity] of overlay) {
    if (entity === undefined) entities.delete(entityId);
    else entities.set(entityId, entity);
  }
  return entities;
}

function toView(layers: Layers): EntityView {
  const { base, overlay, size, lists } = layers;
  const get = (entityId: string) =>
    overlay.has(entityId) ? overlay.get(entityId) : base.entities.get(entityId);
  const list = (type = "") => {
    const known = lists.get(type);
    if (known !== undefined) return known;
    const entities = sortIds(layers, type).flatMap((entityId) => get(entityId) ?? []);
    lists.set(type, Object.freeze(entities));
    return entities;
  };
  const entries = () =>
    list()
      .map((entity): EntityEntry => [entity.entityId, entity])
      .values();
  const view: EntityView = Object.freeze({
    size,
    get,
    has: (entityId: string) => get(entityId) !== undefined,
    list,
    keys: () =>
      list()
        .map(({ entityId }) => entityId)
        .values(),
    values: () => list().values(),
    entries,
    [Symbol.iterator]: entries,
  });
  layersOf.set(view, layers);
  return view;
}

/** The ids of one type, or of all; the overlay may have removed the entities of some. */
function sortIds({ base, overlay }: Layers, type: string): readonly string[] {
  const isWanted = (entityId: string) => type === "" || typeOf(entityId) === type;
  let ids = base.sortedIds.get(type);
  if (ids === undefined) {
    ids = [...base.entities.keys()].filter(isWanted).sort();
    base.sortedIds.set(type, ids);
  }
  const added = [...overlay.keys()].filter((id) => isWanted(id) && !base.entities.has(id));
  // Sorting what is almost sorted takes linear time.
  return added.length === 0 ? ids : [...ids, ...added].sort();
}

function typeOf(entityId: string): string {
  return entityId.slice(0, entityId.indexOf("/"));
}
