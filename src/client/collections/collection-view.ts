/** The entities of a collection as the app sees them, kept up to date by what changes. */
import { compareOrder } from "../../rules/sync/field-kinds.ts";
import { datePayload, freeze, type StoredEntity } from "../sync/entity.ts";
import { isOfType, type EntityView } from "../sync/entity-view.ts";
import { createRowFinder } from "./find-rows.ts";
import type { InvalidEntity } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { compareIds } from "./index-keys.ts";
import { checkIndexes } from "./plan-query.ts";
import { readQuery, type ReadQuery, type UntypedQuery } from "./read-query.ts";
import { showFields } from "./show-fields.ts";
import type { Entity } from "./shown-entity.ts";
import { createSortedList } from "./sorted-list.ts";

export type ShownEntity = Entity<Readonly<Record<string, unknown>>>;

type Read = {
  readonly source: StoredEntity;
  /** What the lists have of the entity; null for nothing. */
  listed: Read | null;
} & (
  | { readonly kind: "valid"; readonly entity: ShownEntity }
  | { readonly kind: "invalid"; readonly entity: InvalidEntity }
);

interface KnownRows {
  readonly rows: readonly ShownEntity[];
  /** The count of changes at which they were right. */
  readonly changes: number;
}

/** How many results of different queries stay the same objects. */
const MAX_QUERIES = 64;

export function createCollectionView(settings: CollectionSettings, view: () => EntityView) {
  const { type, orderField, indexes } = settings;
  /** What was read of entities, by entity id. */
  const known = new Map<string, Read>();
  /** Whether the lists are filled: from the first one that is asked for. */
  let isOpen = false;
  const compareOwn = (one: ShownEntity, other: ShownEntity) =>
    orderField === null
      ? compareIds(one, other)
      : compareOrder(toPlace(one, orderField), toPlace(other, orderField));
  const inOrder = createSortedList<ShownEntity>(compareOwn);
  const invalid = createSortedList<InvalidEntity>(compareIds);
  const isOrderedById = orderField === null;
  const finder = createRowFinder<ShownEntity>({
    indexes,
    own: inOrder,
    compareOwn,
    isOrderedById,
  });
  const queries = new Map<string, KnownRows>();
  /** Counts the changes of the collection. */
  let changes = 0;

  const listIds = () =>
    view()
      .list(type)
      .map(({ entityId }) => entityId);

  function check(given: UntypedQuery, names?: readonly string[]): ReadQuery {
    const fail = (reason: string) => new TypeError(`Cannot list "${type}": ${reason}`);
    const query = readQuery(given, fail, names);
    checkIndexes(type, query, indexes);
    return query;
  }

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    changeLists([], view().list(type).map(list));
  }

  function know(source: StoredEntity): Read {
    const found = known.get(source.entityId);
    if (found?.source === source) return found;
    const read = readEntity(settings, source, found?.listed ?? null);
    known.set(source.entityId, read);
    return read;
  }

  /** An entity may be asked for between its change and the lists'. */
  function list(source: StoredEntity): Read {
    const read = know(source);
    read.listed = read;
    return read;
  }

  function changeLists(removed: readonly Read[], added: readonly Read[]): void {
    const [gone, come] = [sortOut(removed), sortOut(added)];
    for (const list of [inOrder, finder]) list.change(gone.valid, come.valid);
    invalid.change(gone.invalid, come.invalid);
  }

  /** Takes over the entities; returns the ids of those that are different now. */
  function change(entityIds: Iterable<string>): string[] {
    const [removed, added]: [Read[], Read[]] = [[], []];
    const changed: string[] = [];
    for (const entityId of entityIds) {
      const was = known.get(entityId)?.listed ?? null;
      const source = view().get(entityId);
      const is = source === undefined ? null : list(source);
      if (is === null) known.delete(entityId);
      if (was === is) continue;
      changed.push(entityId.slice(type.length + 1));
      if (was !== null) removed.push(was);
      if (is !== null) added.push(is);
    }
    changeLists(removed, added);
    if (changed.length > 0) changes++;
    return changed;
  }

  /** The same array until a row in it changes. */
  function findRows(query: ReadQuery): readonly ShownEntity[] {
    open();
    const { conditions, orderBy, desc, limit, after, key } = query;
    const isAll = conditions.length === 0 && orderBy === null && limit === Infinity;
    if (isAll && !desc && after === null) return inOrder.items();
    const last = queries.get(key);
    if (last?.changes === changes) return last.rows;
    const found = Object.freeze(finder.rows(query));
    const rows = last !== undefined && isSameList(last.rows, found) ? last.rows : found;
    // A map keeps its order: the one that was not asked for the longest goes first.
    queries.delete(key);
    queries.set(key, { rows, changes });
    if (queries.size > MAX_QUERIES) queries.delete([...queries.keys()][0] ?? "");
    return rows;
  }

  return {
    get: (id: string): ShownEntity | undefined => {
      const source = view().get(`${type}/${id}`);
      const found = source === undefined ? undefined : know(source);
      return found?.kind === "valid" ? found.entity : undefined;
    },
    readQuery: check,
    findRows,
    compareIn: finder.compareIn,
    /** All that have a value in the fields, in their order; without fields all, in the collection's own order. */
    listBy(fields: readonly string[]): readonly ShownEntity[] {
      open();
      return fields.length === 0 ? inOrder.current() : finder.rows(check({ orderBy: fields }));
    },
    list: (given: UntypedQuery = {}): readonly ShownEntity[] => findRows(check(given)),
    count(given: UntypedQuery = {}): number {
      open();
      return finder.count(check(given, FILTERS));
    },
    sum(field: string, given: UntypedQuery = {}): number {
      open();
      let sum = 0;
      for (const { [field]: value } of finder.matching(check(given, FILTERS))) {
        if (typeof value === "number" && Number.isFinite(value)) sum += value;
      }
      return sum;
    },
    findLast(test: (entity: ShownEntity) => boolean): ShownEntity | undefined {
      open();
      return inOrder.current().findLast(test);
    },
    invalid(): readonly InvalidEntity[] {
      open();
      return invalid.items();
    },
    /** Other entities as a list would show them. */
    show: (entities: readonly StoredEntity[]): readonly ShownEntity[] =>
      sortOut(entities.map((entity) => readEntity(settings, entity))).valid,
    open,
    /** Null stands for all entities. Returns the ids of those that changed. */
    update(entityIds: readonly string[] | null): readonly string[] {
      if (!isOpen) return [];
      const ids = entityIds?.filter((id) => isOfType(id, type));
      return change(ids ?? new Set([...known.keys(), ...listIds()]));
    },
  };
}

/** What `count` and `sum` take of a query. */
const FILTERS = ["where"];

function readEntity(
  settings: CollectionSettings,
  source: StoredEntity,
  listed: Read | null = null,
): Read {
  const { entityId, payload, refused } = source;
  const id = entityId.slice(settings.type.length + 1);
  const result = showFields(settings, datePayload(source));
  if (result.kind === "invalid") {
    const entity = { id, fields: payload, issues: result.issues };
    return { source, listed, kind: "invalid", entity };
  }
  const { fields } = result;
  const shown = refused === true ? { ...fields, id, refused } : { ...fields, id };
  return { source, listed, kind: "valid", entity: freeze(shown) };
}

function sortOut(reads: readonly Read[]) {
  const valid: ShownEntity[] = [];
  const invalid: InvalidEntity[] = [];
  for (const { kind, entity } of reads) {
    if (kind === "valid") valid.push(entity);
    else invalid.push(entity);
  }
  return { valid, invalid };
}

/** Entities without an order have no key, so their ids decide. */
export function toPlace(entity: ShownEntity, orderField: string | null) {
  // What is no key has been replaced by the empty text already.
  const key = orderField === null ? "" : entity[orderField];
  return { id: entity.id, key: typeof key === "string" ? key : "" };
}

export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
