/** Visible entities at one moment; views share a base and lists and differ in few changes, so a change is cheap. */
import { findFirst } from "../find-first.ts";
import type { StoredEntity } from "./entity.ts";

/** All entities that the app shows, as a map that can be read and not changed. */
export interface EntityView {
  /** The number of visible entities. */
  readonly size: number;
  /** Returns the entity with this id; undefined when none is visible. */
  get(entityId: string): StoredEntity | undefined;
  /** Whether an entity with this id is visible. */
  has(entityId: string): boolean;
  /** Entities of one type, or all, by entity id; the same list until one of the type changes. */
  list(type?: string): readonly StoredEntity[];
  /** The entity ids, in ascending order. */
  keys(): IterableIterator<string>;
  /** The entities, ordered by entity id. */
  values(): IterableIterator<StoredEntity>;
  /** Each entity with its id, ordered by entity id. */
  entries(): IterableIterator<EntityEntry>;
  /** The same as `entries`, for a `for … of` loop. */
  [Symbol.iterator](): IterableIterator<EntityEntry>;
}

/** An entity with its id, as a map gives it. */
export type EntityEntry = readonly [entityId: string, entity: StoredEntity];

/** Undefined removes the entity. */
export type EntityChanges = ReadonlyMap<string, StoredEntity | undefined>;

interface Layers {
  readonly base: ReadonlyMap<string, StoredEntity>;
  readonly overlay: EntityChanges;
  readonly size: number;
  /** The lists that were asked for, by type; the empty text stands for all. */
  readonly lists: Map<string, KnownList>;
}

/** A list of an earlier view, and what has changed of it since. */
interface KnownList {
  readonly entities: readonly StoredEntity[];
  readonly changes: EntityChanges;
}

const NO_CHANGES: EntityChanges = new Map();

const layersOf = new WeakMap<EntityView, Layers>();

export const EMPTY_VIEW: EntityView = toView({
  base: new Map(),
  overlay: NO_CHANGES,
  size: 0,
  lists: new Map(),
});

export function changeView(view: EntityView, changes: EntityChanges): EntityView {
  // Every view has layers.
  const { base, overlay, size, lists: known } = layersOf.get(view) as Layers;
  const lists = noteChanges(known, changes);
  if (overlay.size + changes.size > maxChanges(base.size, changes.size)) {
    const all = flatten(base, overlay, changes);
    return toView({ base: all, overlay: NO_CHANGES, size: all.size, lists });
  }
  let change = 0;
  for (const [entityId, entity] of changes) {
    change += Number(entity !== undefined) - Number(view.has(entityId));
  }
  return toView({ base, overlay: new Map([...overlay, ...changes]), size: size + change, lists });
}

/** Balances copying the changes so far at each change and copying all entities now and then. */
function maxChanges(entities: number, changes: number): number {
  return 32 + Math.sqrt(entities * changes);
}

function flatten(base: Layers["base"], ...overlays: readonly EntityChanges[]): Layers["base"] {
  const entities = new Map(base);
  for (const overlay of overlays) {
    for (const [entityId, entity] of overlay) {
      if (entity === undefined) entities.delete(entityId);
      else entities.set(entityId, entity);
    }
  }
  return entities;
}

function noteChanges(lists: Layers["lists"], changes: EntityChanges): Layers["lists"] {
  const noted: Layers["lists"] = new Map();
  for (const [type, known] of lists) {
    const ofType = [...changes].filter(([entityId]) => isOfType(entityId, type));
    const { entities } = known;
    const all = new Map([...known.changes, ...ofType]);
    if (ofType.length === 0) noted.set(type, known);
    else if (all.size <= maxChanges(entities.length, ofType.length)) {
      noted.set(type, { entities, changes: all });
    }
  }
  return noted;
}

function toView(layers: Layers): EntityView {
  const { base, overlay, size, lists } = layers;
  const get = (entityId: string) =>
    overlay.has(entityId) ? overlay.get(entityId) : base.get(entityId);
  const list = (type = "") => {
    const known = lists.get(type);
    if (known?.changes.size === 0) return known.entities;
    const entities = known === undefined ? sortEntities(layers, type) : applyChanges(known);
    lists.set(type, { entities: Object.freeze(entities), changes: NO_CHANGES });
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

function sortEntities({ base, overlay }: Layers, type: string): readonly StoredEntity[] {
  const entities = overlay.size === 0 ? base : flatten(base, overlay);
  return [...entities.values()]
    .filter(({ entityId }) => isOfType(entityId, type))
    .sort(compareEntities);
}

export function compareEntities(one: StoredEntity, other: StoredEntity): number {
  return one.entityId < other.entityId ? -1 : 1;
}

/** Copies the list by a spread, which takes microseconds; V8 slices a frozen array one by one. */
function applyChanges({ entities, changes }: KnownList): readonly StoredEntity[] {
  const list = [...entities];
  for (const [entityId, entity] of changes) {
    const index = findFirst(list, (one) => one.entityId >= entityId);
    const isListed = list[index]?.entityId === entityId;
    if (entity === undefined) list.splice(index, Number(isListed));
    else if (isListed) list[index] = entity;
    else list.splice(index, 0, entity);
  }
  return list;
}

/** The empty text stands for all types. */
export function isOfType(entityId: string, type: string): boolean {
  return type === "" || (entityId.startsWith(type) && entityId.indexOf("/") === type.length);
}
