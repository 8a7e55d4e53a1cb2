/** The entities of a collection as the app sees them, kept up to date by what changes. */
import { compareOrder } from "../../rules/sync/field-kinds.ts";
import { freeze, type StoredEntity } from "../sync/entity.ts";
import type { EntityView } from "../sync/entity-view.ts";
import type { Entity, InvalidEntity } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { findUnknownOption } from "./find-unknown-option.ts";
import { showFields } from "./show-fields.ts";
import { createSortedList } from "./sorted-list.ts";

export type ShownEntity = Entity<Readonly<Record<string, unknown>>>;

export interface UntypedQuery {
  readonly index?: string | undefined;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly limit?: number;
}

type Read =
  | { readonly kind: "valid"; readonly entity: ShownEntity }
  | { readonly kind: "invalid"; readonly entity: InvalidEntity };

/** So many results of different queries stay the same objects. */
const MAX_QUERIES = 64;

export function createCollectionView(settings: CollectionSettings, view: () => EntityView) {
  const { type, orderField, indexes } = settings;
  const known = new WeakMap<StoredEntity, Read>();
  /** Null until a list is asked for. */
  let shown: Map<string, Read> | null = null;
  const inOrder = createSortedList<ShownEntity>((one, other) =>
    compareOrder(toPlace(one, orderField), toPlace(other, orderField)),
  );
  const invalid = createSortedList<InvalidEntity>(compareIds);
  const byIndex = new Map(indexes.map((field) => [field, createIndex(field)]));
  const queries = new Map<string, readonly ShownEntity[]>();

  const invalidQuery = (detail: string) => new TypeError(`Cannot list "${type}": ${detail}`);

  function checkQuery(given: UntypedQuery): void {
    const unknown = findUnknownOption(given, ["index", "from", "to", "limit"]);
    if (unknown !== null) throw invalidQuery(unknown);
    const { index, from, to, limit = 0 } = given;
    if (!(Number.isInteger(limit) && limit >= 0)) throw invalidQuery("limit must be a count");
    if (index === undefined && (from ?? to) !== undefined) {
      throw invalidQuery("from and to need an index");
    }
  }

  function read(entity: StoredEntity | undefined): Read | undefined {
    if (entity === undefined) return undefined;
    const found = known.get(entity) ?? readEntity(settings, entity);
    known.set(entity, found);
    return found;
  }

  const listIds = () =>
    view()
      .list(type)
      .map(({ entityId }) => entityId);

  function open(): Map<string, Read> {
    if (shown !== null) return shown;
    shown = new Map();
    change(listIds());
    return shown;
  }

  /** Takes over the entities; returns the ids of those that are different now. */
  function change(entityIds: Iterable<string>): string[] {
    const before = shown ?? new Map<string, Read>();
    const [removed, added]: [Read[], Read[]] = [[], []];
    const changed: string[] = [];
    for (const entityId of entityIds) {
      const [was, is] = [before.get(entityId), read(view().get(entityId))];
      if (was === is) continue;
      changed.push(entityId.slice(type.length + 1));
      if (was !== undefined) removed.push(was);
      if (is !== undefined) added.push(is);
      if (is === undefined) before.delete(entityId);
      else before.set(entityId, is);
    }
    const [validRemoved, validAdded] = [removed.flatMap(toValid), added.flatMap(toValid)];
    for (const list of [inOrder, ...byIndex.values()]) list.change(validRemoved, validAdded);
    invalid.change(removed.flatMap(toInvalid), added.flatMap(toInvalid));
    return changed;
  }

  function query({ index: field, from, to, limit = Infinity }: UntypedQuery) {
    if (field === undefined) return inOrder.items().slice(0, limit);
    const index = byIndex.get(field);
    if (index !== undefined) return index.list(toIndexKey(from), toIndexKey(to), limit);
    throw invalidQuery(`"${field}" is no index: declare it in the indexes of the collection`);
  }

  return {
    get: (id: string): ShownEntity | undefined => {
      const found = read(view().get(`${type}/${id}`));
      return found?.kind === "valid" ? found.entity : undefined;
    },
    list(given: UntypedQuery = {}): readonly ShownEntity[] {
      checkQuery(given);
      open();
      const { index, from, to, limit } = given;
      if (index === undefined && limit === undefined) return inOrder.items();
      const key = JSON.stringify([index, toIndexKey(from), toIndexKey(to), limit]);
      const found = Object.freeze(query(given));
      const last = queries.get(key);
      if (last !== undefined && isSameList(last, found)) return last;
      if (queries.size > MAX_QUERIES) queries.clear();
      queries.set(key, found);
      return found;
    },
    findLast(test: (entity: ShownEntity) => boolean): ShownEntity | undefined {
      open();
      return inOrder.findLast(test);
    },
    invalid(): readonly InvalidEntity[] {
      open();
      return invalid.items();
    },
    /** Other entities as a list would show them. */
    show: (entities: readonly StoredEntity[]): readonly ShownEntity[] =>
      entities.map((entity) => readEntity(settings, entity)).flatMap(toValid),
    open,
    /** Null stands for all entities. Returns the ids of those that changed. */
    update(entityIds: readonly string[] | null): readonly string[] {
      if (shown === null) return [];
      const ids = entityIds?.filter((id) => id.startsWith(`${type}/`));
      return change(ids ?? new Set([...shown.keys(), ...listIds()]));
    },
  };
}

function readEntity(settings: CollectionSettings, entity: StoredEntity): Read {
  const id = entity.entityId.slice(settings.type.length + 1);
  const flags = entity.refused === true ? ({ refused: true } as const) : {};
  const result = showFields(settings, entity.payload);
  return result.kind === "valid"
    ? { kind: "valid", entity: freeze({ ...result.fields, id, ...flags }) }
    : {
        kind: "invalid",
        entity: { id, fields: entity.payload, issues: result.issues },
      };
}

const toValid = (read: Read) => (read.kind === "valid" ? [read.entity] : []);
const toInvalid = (read: Read) => (read.kind === "invalid" ? [read.entity] : []);

/** Entities without an order have no key, so their ids decide. */
export function toPlace(entity: ShownEntity, orderField: string | null) {
  // What is no key has been replaced by the empty text already.
  const key = orderField === null ? "" : entity[orderField];
  return { id: entity.id, key: typeof key === "string" ? key : "" };
}

function compareIds(one: { readonly id: string }, other: { readonly id: string }): number {
  return compareKeys(one.id, other.id);
}

type IndexKey = boolean | number | string | undefined;

/** The entities with a text, a number, a date, true or false in the field, sorted by it and then by id. */
function createIndex(field: string) {
  const keyOf = (entity: ShownEntity) => toIndexKey(entity[field]);
  const isIndexed = (entity: ShownEntity) => keyOf(entity) !== undefined;
  const sorted = createSortedList<ShownEntity>(
    (one, other) => compareKeys(keyOf(one), keyOf(other)) || compareIds(one, other),
  );
  return {
    change: (removed: readonly ShownEntity[], added: readonly ShownEntity[]) =>
      sorted.change(removed.filter(isIndexed), added.filter(isIndexed)),
    list: (from: IndexKey, to: IndexKey, limit: number) =>
      sorted.slice(
        (entity) => from === undefined || compareKeys(keyOf(entity), from) >= 0,
        (entity) => to !== undefined && compareKeys(keyOf(entity), to) > 0,
        limit,
      ),
  };
}

function toIndexKey(value: unknown): IndexKey {
  const key: unknown = value instanceof Date ? value.getTime() : value;
  const isKey = ["boolean", "number", "string"].includes(typeof key) && !Number.isNaN(key);
  return isKey ? (key as IndexKey) : undefined;
}

/** Values of different types sort by type, so that a field of mixed ones has an order at all. */
function compareKeys(one: IndexKey, other: IndexKey): number {
  const [a, b] = [one ?? "", other ?? ""];
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
