/**
 * Indexes of rows that a device stores, so that an app with many entities shows the first rows of a query before it
 * has read them all. They are written when all are read, and the record of the device names what was written since;
 * an index of the storage would cost every edit as much, and would need the values that an app's functions make. One
 * that lacks too much, or that a client which notes nothing has left behind, is not used. Encrypted data has none.
 */
import { createVisibleRecords } from "./visible-records.ts";
import type { StoredEntity } from "./entity.ts";
import { PAGE_ENTITIES, readEntityRecords, writeEntityPages } from "./entity-pages.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { CLEAR_FORM } from "./record-form.ts";
import { INDEX_PREFIX, readRecord, type Unindexed } from "./records.ts";
import { requireDevice } from "./device-record.ts";
import type { StorageTransaction } from "./storage.ts";
import { findUnindexed, removeIndexes } from "./unindexed.ts";

/** A row of an index: the id of its entity without the type, and the values that it is sorted by. */
export interface IndexRow {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** An index while a transaction reads it. */
export interface StoredIndex {
  /** The first row of each page. */
  readonly starts: readonly IndexRow[];
  readPage(page: number): Promise<readonly IndexRow[]>;
  /** The entities that were written since: the index may have them wrong, or lack them. */
  readonly unindexed: readonly string[];
  readEntities(entityIds: readonly string[]): Promise<readonly StoredEntity[]>;
}

export type StoredIndexes = ReturnType<typeof createStoredIndexes>;

/** A page is parsed in less than a millisecond. */
const PAGE_ROWS = 500;

export function createStoredIndexes(store: LocalStore) {
  return {
    /** Resolves with null, without the work, when there is no such index, or none that can be relied on. */
    read: <T>(name: string, work: (index: StoredIndex) => Promise<T>): Promise<T | null> =>
      store.read(async (transaction) => {
        const unindexed = findUnindexed(await requireDevice(transaction));
        if (unindexed?.names.includes(name) !== true || store.form().kind !== "clear") return null;
        const starts = await readRecord<readonly IndexRow[]>(transaction, indexKey(name));
        return starts === undefined ? null : work(toIndex(transaction, name, starts, unindexed));
      }),
    /**
     * Stores all entities as they are shown, and the indexes of these names with the rows that `collect` finds, unless
     * they are there and lack few.
     */
    async write(
      names: readonly string[],
      collect: (name: string) => readonly IndexRow[],
      mayLack: number,
    ): Promise<void> {
      const isDue = async (transaction: StorageTransaction) => {
        const unindexed = findUnindexed(await requireDevice(transaction));
        const isFresh = unindexed !== undefined && unindexed.recordIds.length <= mayLack;
        return !isFresh || !names.every((name) => unindexed.names.includes(name));
      };
      // Opening waits for one page of entities anyway.
      if (store.facts().entities.size <= PAGE_ENTITIES) return;
      if (store.form().kind !== "clear" || !(await store.read(isDue))) return;
      await store.write(async (transaction) => {
        // What another tab wrote, and this one does not show yet, would be missing for good.
        if (transaction.lastWrite !== store.lastWrite()) return;
        await removeIndexes(transaction);
        const pages = writeEntityPages(transaction, store.facts().entities.values());
        for (const name of names) writeIndex(transaction, name, collect(name));
        transaction.noteIndexes(names, pages);
      });
    },
  };
}

function toIndex(
  transaction: StorageTransaction,
  name: string,
  starts: readonly IndexRow[],
  { recordIds }: Unindexed,
): StoredIndex {
  return {
    starts,
    readPage: async (page) =>
      (await readRecord<readonly IndexRow[]>(transaction, indexKey(name, page))) ?? [],
    unindexed: recordIds,
    async readEntities(entityIds) {
      const visible = createVisibleRecords(CLEAR_FORM);
      const records = await readEntityRecords(transaction, entityIds);
      visible.takePage({ records, isLast: true });
      return visible.entities().list();
    },
  };
}

function writeIndex(transaction: LocalTransaction, name: string, rows: readonly IndexRow[]): void {
  const starts: IndexRow[] = [];
  for (let at = 0; at < rows.length; at += PAGE_ROWS) {
    const page = rows.slice(at, at + PAGE_ROWS);
    transaction.put(indexKey(name, starts.length), JSON.stringify(page));
    starts.push(page[0] as IndexRow);
  }
  transaction.put(indexKey(name), JSON.stringify(starts));
}

/** The key of the first rows of all pages, or of a page. */
function indexKey(name: string, page?: number): string {
  return `${INDEX_PREFIX}${name}${page === undefined ? "" : `/${page}`}`;
}
