/** Runs in Chromium: the sync client on IndexedDB, and bare IndexedDB with the same writes. */
import {
  createIndexedDbStorage,
  createMemorySyncStorage,
  type SyncClient,
} from "../../src/client/index.ts";
import { makeEdits } from "./edits.ts";
import { openClient, openSignIn, syncFirst } from "./open-client.ts";
import { recordWrites, type WrittenTransaction } from "./record-writes.ts";

export interface PageBench {
  /** Seconds of the client, and of the bare storage with what was recorded before. */
  edits(count: number, isTogether: boolean): Promise<number>;
  recordEdits(count: number, isTogether: boolean): Promise<void>;
  /** Opens a client on IndexedDB or, to record it, in memory; returns the address of the sign-in page. */
  beginSync(port: number, isRecorded: boolean): Promise<string>;
  firstSync(callback: string, length: number): Promise<number>;
  bare(): Promise<number>;
}

const RECORDS = "records";
let databases = 0;
let opened: SyncClient | null = null;
let transactions: readonly WrittenTransaction[] = [];

const seconds = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

window.bench = {
  async edits(count, isTogether) {
    const name = `client-${++databases}`;
    const client = await openClient(createIndexedDbStorage(name));
    const taken = await seconds(() => makeEdits(client, count, isTogether));
    await client.close();
    await remove(name);
    return taken;
  },
  async recordEdits(count, isTogether) {
    const recorded = recordWrites(createMemorySyncStorage());
    const client = await openClient(recorded.storage);
    const before = recorded.transactions.length;
    await makeEdits(client, count, isTogether);
    await client.close();
    transactions = recorded.transactions.slice(before);
  },
  async beginSync(port, isRecorded) {
    const storage = isRecorded
      ? createMemorySyncStorage()
      : createIndexedDbStorage(`client-${++databases}`);
    const recorded = recordWrites(storage);
    opened = await openClient(isRecorded ? recorded.storage : storage, port);
    if (isRecorded) ({ transactions } = recorded);
    return openSignIn(opened);
  },
  async firstSync(callback, length) {
    const client = opened;
    if (client === null) throw new Error("No client is open");
    const result = await client.completeSignIn(callback);
    if (result.kind !== "signed-in") throw new Error(`Cannot sign in: ${result.error.message}`);
    const taken = await seconds(() => syncFirst(client, length));
    await client.close();
    await remove(`client-${databases}`);
    return taken;
  },
  async bare() {
    const name = `bare-${++databases}`;
    const database = await open(name);
    const taken = await seconds(async () => {
      for (const writes of transactions) await write(database, writes);
    });
    database.close();
    await remove(name);
    return taken;
  },
};

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(RECORDS));
  return resultOf(request);
}

function write(database: IDBDatabase, writes: WrittenTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(RECORDS, "readwrite", { durability: "strict" });
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(new Error("A bare write failed")));
    const store = transaction.objectStore(RECORDS);
    for (const [key, value] of writes) {
      if (value === null) store.delete(key);
      else store.put(value, key);
    }
    transaction.commit();
  });
}

async function remove(name: string): Promise<void> {
  await resultOf(indexedDB.deleteDatabase(name));
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed")));
  });
}
