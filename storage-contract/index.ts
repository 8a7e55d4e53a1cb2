/** `trellis/client/storage-contract`: tests whether a storage fulfils the port, in any runtime. */
import type { SyncStorage } from "../src/client/sync/storage.ts";
import { ISOLATION_CASES, SHARED_ISOLATION_CASES } from "./isolation-cases.ts";
import { DURABLE_RECORD_CASES, RECORD_CASES } from "./record-cases.ts";
import { runStorageCase, type StorageCase, type StorageHarness } from "./storage-case.ts";
import { DURABLE_TRANSACTION_CASES, STORAGE_TRANSACTION_CASES } from "./transaction-cases.ts";

export type { StorageHarness, StoragePlace } from "./storage-case.ts";
export type { SyncStorage };

/** A case of the contract of storages, for the `test` function of any test runner. */
export interface RunnableStorageCase {
  /** What the storage has to do. */
  readonly name: string;
  /** Rejects when the storage fails the case. */
  run(): Promise<void>;
}

/**
 * Makes the cases that test whether your storage keeps the promises of the port. Each case runs on a new,
 * empty storage.
 * @param harness - opens your storage at an empty place, and says what it can do
 * @returns the cases that apply to this storage
 * @example
 * ```ts
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { test } from "node:test";
 * import { createStorageCases } from "trellis/client/storage-contract";
 * import { createSqliteStorage } from "trellis/client/node";
 *
 * const cases = createStorageCases({
 *   async createPlace() {
 *     const folder = await mkdtemp("/tmp/storage-");
 *     return {
 *       open: async () => createSqliteStorage(`${folder}/records.db`),
 *       remove: () => rm(folder, { recursive: true }),
 *     };
 *   },
 * });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function createStorageCases(harness: StorageHarness): RunnableStorageCase[] {
  const cases = [RECORD_CASES, STORAGE_TRANSACTION_CASES, ISOLATION_CASES];
  if (harness.isDurable !== false) cases.push(DURABLE_RECORD_CASES, DURABLE_TRANSACTION_CASES);
  if (harness.isShared === true) cases.push(SHARED_ISOLATION_CASES);
  return cases.flatMap(Object.entries<StorageCase>).map(([name, run]) => ({
    name,
    run: () => runStorageCase(harness, run),
  }));
}
