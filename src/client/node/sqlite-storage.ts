import { closeSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createSerialize } from "../serialize.ts";
import type { StorageTransaction, StoredRecord, SyncStorage } from "../sync/storage.ts";

/** How long a transaction waits for those of other processes. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_RETRY_MS = 5;
const SQLITE_BUSY = 5;

const IN_MEMORY = ":memory:";

/**
 * Keeps the data in a SQLite file, which several processes can share; the file and its folder are made when
 * they are missing. `:memory:` is a database of this storage alone, which ends with it.
 * @param path - the path of the file
 * @returns a storage, for the option `storage`
 * @example
 * ```ts
 * import { createSyncClient } from "trellis/client";
 * import { createEncryption } from "trellis/client/encryption";
 * import { createFileKeyStore, createSqliteStorage } from "trellis/client/node";
 *
 * const client = await createSyncClient({
 *   baseUrl: "https://sync.example.com",
 *   redirectUri: "http://localhost:43823/callback",
 *   storage: createSqliteStorage("./data/tasks.db"),
 *   encryption: createEncryption({ keyStore: createFileKeyStore("./keys") }),
 * });
 * await client.close();
 * ```
 */
export function createSqliteStorage(path: string): SyncStorage {
  const file = path === IN_MEMORY ? null : createFile(path);
  const database = openDatabase(file ?? IN_MEMORY);
  const transactionPort = createPort(database);
  const serialize = createSerialize();
  return {
    ...(file !== null && { name: `sqlite/${file}` }),
    transaction: (mode, work) =>
      serialize(async () => {
        await begin(database, mode);
        try {
          const result = await work(transactionPort);
          database.exec("COMMIT");
          return result;
        } catch (error) {
          if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
          throw error;
        }
      }),
    close: () =>
      serialize(async () => {
        if (database.isOpen) database.close();
      }),
  };
}

/** Returns the absolute path of the file, by which all its users know it. */
function createFile(path: string): string {
  const folder = dirname(resolve(path));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(realpathSync(folder), basename(path));
  // The file is for this user alone, because it has tokens; SQLite gives its other files the same mode.
  closeSync(openSync(file, "a", 0o600));
  return file;
}

function openDatabase(path: string): DatabaseSync {
  // Waiting inside SQLite would stop the event loop, on which the other client may depend.
  const database = new DatabaseSync(path, { timeout: 0 });
  for (let attempt = 0; ; attempt++) {
    try {
      // With rowids: the random keys of encrypted entities then reach all pages of a small index only.
      // FULL: an operation must not be pushed and then be forgotten in a power cut, with its id.
      database.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS records (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)
          STRICT;
      `);
      return database;
    } catch (error) {
      // Two clients that create the file at the same time.
      if (!isBusy(error) || attempt * LOCK_RETRY_MS > LOCK_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
  }
}

async function begin(database: DatabaseSync, mode: "read" | "write"): Promise<void> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return database.exec(mode === "read" ? "BEGIN" : "BEGIN IMMEDIATE");
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  // The upper bits say why, such as that another process recovers the file after a crash.
  return (
    error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
  );
}

function createPort(database: DatabaseSync): StorageTransaction {
  const get = database.prepare("SELECT value FROM records WHERE key = ?");
  const list = database.prepare(
    "SELECT key, value FROM records WHERE key >= ? AND key < ? ORDER BY key LIMIT ?",
  );
  const put = database.prepare(
    "INSERT INTO records (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const remove = database.prepare("DELETE FROM records WHERE key = ?");
  return {
    get: async (key) => get.get(key)?.["value"] as string | undefined,
    list: async ({ from, below, limit }) =>
      list
        .all(from, below, limit)
        .map(({ key, value }): StoredRecord => [key as string, value as string]),
    put: (key, value) => void put.run(key, value),
    delete: (key) => void remove.run(key),
  };
}
