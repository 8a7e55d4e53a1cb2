/** A promise of the store port as something that can be run, by any test runner or by none. */
import type { SyncStore } from "../store.ts";

/** What a suite is told of the store that it is to prove. */
export interface StoreHarness {
  /** An empty place of its own; every case asks for one. */
  createPlace(): Promise<StorePlace>;
  /** Whether a place can be opened twice at the same time, as two processes would. */
  readonly isShared?: boolean;
  /** Drops from the log what later operations replaced, when the store can do that. */
  compact?(store: SyncStore): Promise<void>;
}

export interface StorePlace {
  /** Opens the store that is there. After the last one was closed, this is a restart. */
  open(): Promise<SyncStore>;
  /** Called when everything is closed. */
  remove(): Promise<void>;
}

export interface CaseContext {
  readonly store: SyncStore;
  /** Closes what is open and opens it anew, as a restart does. */
  reopen(): Promise<SyncStore>;
  /** Opens the place once more, beside what is open. */
  openBeside(): Promise<SyncStore>;
  compact(store: SyncStore): Promise<void>;
}

export interface StoreCase {
  /** The promise, as a sentence. */
  readonly name: string;
  /** What the store must be able to do beyond the port, or there is nothing to prove. */
  readonly needs?: "sharing" | "compaction";
  prove(context: CaseContext): Promise<void>;
}

/** Proves one promise on a place of its own; throws when it is not kept. */
export async function runStoreCase(harness: StoreHarness, storeCase: StoreCase): Promise<void> {
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
    await storeCase.prove({
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
