import type { SyncStore } from "../src/sync/store.ts";

/** The store under test. */
export interface StoreHarness {
  /** Where an empty store can be opened; one for each case. */
  createPlace(): Promise<StorePlace>;
  /** Whether a place can be opened twice at the same time, as by two processes. */
  readonly isShared?: boolean;
  /** Removes superseded operations from the log, if the store can. */
  compact?(store: SyncStore): Promise<void>;
}

/** A place for one store, such as a folder or a schema: opening it again after closing it is a restart. */
export interface StorePlace {
  /** Opens the store; after the last one was closed, this is a restart. */
  open(): Promise<SyncStore>;
  /** Called after every store was closed. */
  remove(): Promise<void>;
}

export interface StoreCaseContext {
  readonly store: SyncStore;
  /** Closes every opened store and opens one again, as a restart does. */
  reopen(): Promise<SyncStore>;
  /** Opens the place once more, like a second process. */
  openBeside(): Promise<SyncStore>;
  compact(store: SyncStore): Promise<void>;
}

/** Cases by the guarantee that each tests, as a sentence. */
export type StoreCases = Readonly<Record<string, StoreCase>>;

export type StoreCase = (context: StoreCaseContext) => Promise<void>;

export async function runStoreCase(harness: StoreHarness, run: StoreCase): Promise<void> {
  const place = await harness.createPlace();
  const opened: SyncStore[] = [];
  const open = async () => {
    const store = await place.open();
    opened.push(store);
    return store;
  };
  const closeAll = async () => {
    for (const store of opened.splice(0)) await store.close();
  };
  try {
    await run({
      store: await open(),
      reopen: async () => {
        await closeAll();
        return open();
      },
      openBeside: open,
      compact: async (store) => harness.compact?.(store),
    });
  } finally {
    await closeAll();
    await place.remove();
  }
}
