/** Indexes that live queries have asked for are stored: when the app opens again, they tell the first rows. */
import type { StoredIndexes, IndexRow } from "../sync/stored-indexes.ts";
import { MAX_UNINDEXED } from "../sync/unindexed.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import type { createCollectionView, ShownEntity } from "./collection-view.ts";
import { findOrder, readFirstRows } from "./first-rows.ts";
import { toIndexKey } from "./index-keys.ts";
import type { ReadQuery } from "./read-query.ts";

/** How many entities the indexes may lack when the app opens: those are read one by one. */
const FEW_UNINDEXED = MAX_UNINDEXED / 8;

type Shown = Pick<ReturnType<typeof createCollectionView>, "show" | "listBy" | "compareIn">;
type ReadFirst = () => Promise<readonly ShownEntity[] | null>;

export type KeptIndexes = ReturnType<typeof createKeptIndexes>;

export interface KeptIndexesOptions {
  readonly indexes: StoredIndexes;
  readonly loaded: Promise<void>;
  readonly isLoaded: () => boolean;
}

export function createKeptIndexes({ indexes: stored, loaded, isLoaded }: KeptIndexesOptions) {
  const rowsByName = new Map<string, () => readonly IndexRow[]>();

  /** Stores those that are missing or lack more entities, once all were read. */
  function store(mayLack: number): void {
    if (!isLoaded()) return;
    const collect = (name: string) => rowsByName.get(name)?.() ?? [];
    // A storage that fails is reported by the next edit or round.
    stored.write([...rowsByName.keys()], collect, mayLack).catch(() => {});
  }

  void loaded.then(() => store(FEW_UNINDEXED));

  /** Keeps the index of the query; returns what finds its first rows, or null where no index does. */
  function keep(
    { type, indexes, orderField }: CollectionSettings,
    shown: Shown,
    query: ReadQuery,
  ): ReadFirst {
    const order = findOrder(query, indexes);
    if (order === null) return () => Promise.resolve(null);
    const isOwn = order.length === 0 && orderField !== null;
    const fields = isOwn ? [orderField] : order;
    const name = `${type}/${encodeURIComponent(JSON.stringify(order))}`;
    if (!rowsByName.has(name)) {
      rowsByName.set(name, () => shown.listBy(order).map((row) => toIndexRow(row, fields)));
      void loaded.then(() => store(MAX_UNINDEXED));
    }
    const { show, compareIn } = shown;
    const options = { type, query, fields, show, compare: compareIn(query) };
    return () => stored.read(name, (index) => readFirstRows(index, options));
  }

  return {
    keep,
    /** A round has ended: what it brought may be more than the indexes can lack. */
    onIdle: () => store(MAX_UNINDEXED),
  };
}

function toIndexRow(row: ShownEntity, fields: readonly string[]): IndexRow {
  const keys = fields.map((field) => [field, toIndexKey(row[field])] as const);
  return { id: row.id, ...Object.fromEntries(keys) };
}
