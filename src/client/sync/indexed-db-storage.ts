import { PlatformError, toPlatformError } from "./platform-error.ts";
import type { StorageTransaction, StoredRecord, SyncStorage } from "./storage.ts";

const RECORDS = "records";

/**
 * Keeps the data in a database of the browser, which all tabs of the origin share. This is the storage of a
 * web app.
 * @param name - the name of the database
 * @returns a storage, for the option `storage`
 */
export function createIndexedDbStorage(name: string): SyncStorage {
  let opening: Promise<IDBDatabase> | null = null;
  let isClosed = false;
  const listeners: (() => void)[] = [];
  const working = new Set<IDBTransaction>();
  // Work that is not finished when its page is left cannot go on there. WebKit keeps such a page with its
  // transactions, and every page that comes after it would wait for them.
  let shown = Promise.withResolvers<void>();
  shown.resolve();
  const leave = () => {
    shown = Promise.withResolvers();
    for (const transaction of working) abort(transaction);
  };
  const comeBack = () => shown.resolve();
  globalThis.addEventListener?.("pagehide", leave);
  globalThis.addEventListener?.("pageshow", comeBack);
  const onClosed = () => {
    opening = null;
    for (const listener of listeners) listener();
  };

  function open(): Promise<IDBDatabase> {
    opening ??= openDatabase(name, onClosed).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** Browsers close databases of their own accord: the next transaction opens it again. */
  async function begin(mode: "read" | "write"): Promise<IDBTransaction> {
    if (isClosed) throw new Error(`Cannot use the storage "${name}": it is closed`);
    try {
      return beginOn(await open(), mode);
    } catch {
      opening = null;
      return beginOn(await open(), mode);
    }
  }

  return {
    name: `indexed-db/${name}`,
    transaction: async (mode, work) => {
      await shown.promise;
      const transaction = await begin(mode);
      const completed = waitFor(transaction);
      working.add(transaction);
      try {
        const result = await work(toPort(transaction.objectStore(RECORDS)));
        transaction.commit();
        working.delete(transaction);
        await completed;
        return result;
      } catch (error) {
        abort(transaction);
        await completed.catch(() => {});
        // A write that failed, such as for want of space, before the work did.
        throw transaction.error ?? error;
      } finally {
        working.delete(transaction);
      }
    },
    onClosed: (listener) => void listeners.push(listener),
    close: async () => {
      isClosed = true;
      globalThis.removeEventListener?.("pagehide", leave);
      globalThis.removeEventListener?.("pageshow", comeBack);
      const database = await opening?.catch(() => null);
      database?.close();
    },
  };
}

async function openDatabase(name: string, onClosed: () => void): Promise<IDBDatabase> {
  try {
    // Even to read the name is denied in some browsers; in others it is there and empty.
    if (globalThis.indexedDB) return await requestDatabase(name, onClosed);
  } catch (error) {
    throw toPlatformError(error);
  }
  throw new PlatformError("storage-missing");
}

function requestDatabase(name: string, onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(RECORDS));
    request.addEventListener("error", () => reject(request.error ?? new Error("Cannot be opened")));
    request.addEventListener("success", () => {
      const database = request.result;
      database.addEventListener("close", onClosed);
      // Another tab deletes the database or brings a newer version of it.
      database.addEventListener("versionchange", () => {
        database.close();
        onClosed();
      });
      resolve(database);
    });
  });
}

/** Strict: an operation must not be pushed and then be forgotten in a power cut, with its id. */
function beginOn(database: IDBDatabase, mode: "read" | "write"): IDBTransaction {
  return mode === "read"
    ? database.transaction(RECORDS, "readonly")
    : database.transaction(RECORDS, "readwrite", { durability: "strict" });
}

function waitFor(transaction: IDBTransaction): Promise<void> {
  const completed = new Promise<void>((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error("The transaction was aborted"));
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", fail);
  });
  // A transaction that fails during the work must not be an unhandled rejection.
  completed.catch(() => {});
  return completed;
}

/** A transaction that has failed already cannot be aborted. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    return;
  }
}

function toPort(store: IDBObjectStore): StorageTransaction {
  return {
    get: (key) => resultOf<string | undefined>(store.get(key)),
    list: async ({ from, below, limit }) => {
      const range = IDBKeyRange.bound(from, below, false, true);
      const [keys, values] = await Promise.all([
        resultOf(store.getAllKeys(range, limit) as IDBRequest<string[]>),
        resultOf<string[]>(store.getAll(range, limit)),
      ]);
      return keys.map((key, index): StoredRecord => [key, values[index] ?? ""]);
    },
    put: (key, value) => void store.put(value, key),
    delete: (key) => void store.delete(key),
  };
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("Cannot be read")));
  });
}
