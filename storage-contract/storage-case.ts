import type { StoredRecord, SyncStorage } from "../src/client/sync/storage.ts";

/** The storage under test. */
export interface StorageHarness {
  /** Names a place where an empty storage can be opened; called once for each case. */
  createPlace(): Promise<StoragePlace>;
  /** Whether a place can be opened twice at the same time, as by two tabs. */
  readonly isShared?: boolean;
  /** False for a storage whose records end with the object. */
  readonly isDurable?: boolean;
}

/** A place for one storage, such as a file: opening it again after closing it is a restart of the app. */
export interface StoragePlace {
  /** Opens the storage, also while it is open: as another tab does. */
  open(): Promise<SyncStorage>;
  /** Called after every storage was closed. */
  remove(): Promise<void>;
}

export interface StorageCaseContext {
  readonly storage: SyncStorage;
  /** Closes every opened storage and opens one again, as a restart of the app does. */
  reopen(): Promise<SyncStorage>;
  /** Opens the place once more, as a second tab does. */
  openBeside(): Promise<SyncStorage>;
}

/** Cases by the guarantee that each tests, as a sentence. */
export type StorageCases = Readonly<Record<string, StorageCase>>;

export type StorageCase = (context: StorageCaseContext) => Promise<void>;

export async function runStorageCase(harness: StorageHarness, run: StorageCase): Promise<void> {
  const place = await harness.createPlace();
  const opened: SyncStorage[] = [];
  const open = async () => {
    const storage = await place.open();
    opened.push(storage);
    return storage;
  };
  const closeAll = async () => {
    for (const storage of opened.splice(0)) await storage.close();
  };
  try {
    await run({
      storage: await open(),
      reopen: async () => {
        await closeAll();
        return open();
      },
      openBeside: open,
    });
  } finally {
    await closeAll();
    await place.remove();
  }
}

/** Compares without the assertions of a runtime, because the cases run in any runtime. */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`Expected ${wanted}, got ${found}`);
}

export function putAll(
  storage: SyncStorage,
  records: Readonly<Record<string, string>>,
): Promise<void> {
  return storage.transaction("write", async (transaction) => {
    for (const [key, value] of Object.entries(records)) transaction.put(key, value);
  });
}

export function listAll(storage: SyncStorage): Promise<readonly StoredRecord[]> {
  return storage.transaction("read", (transaction) =>
    transaction.list({ from: "!", below: "~", limit: 1000 }),
  );
}
