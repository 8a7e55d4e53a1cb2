/**
 * `trellis/client/storage-contract`: tests whether a storage fulfils the port, in any runtime.
 *
 *     for (const { name, run } of createStorageCases(harness)) test(name, run);
 */
import type { SyncStorage } from "../src/client/sync/storage.ts";
import { ISOLATION_CASES, SHARED_ISOLATION_CASES } from "./isolation-cases.ts";
import { DURABLE_RECORD_CASES, RECORD_CASES } from "./record-cases.ts";
import { runStorageCase, type StorageCase, type StorageHarness } from "./storage-case.ts";
import { DURABLE_TRANSACTION_CASES, STORAGE_TRANSACTION_CASES } from "./transaction-cases.ts";

export type { StorageHarness, StoragePlace } from "./storage-case.ts";
export type { SyncStorage };

export interface RunnableStorageCase {
  readonly name: string;
  /** Rejects when the storage fails the case. */
  run(): Promise<void>;
}

/** The cases that apply to this storage; each runs on a new, empty one. */
export function createStorageCases(harness: StorageHarness): RunnableStorageCase[] {
  const cases = [RECORD_CASES, STORAGE_TRANSACTION_CASES, ISOLATION_CASES];
  if (harness.isDurable !== false) cases.push(DURABLE_RECORD_CASES, DURABLE_TRANSACTION_CASES);
  if (harness.isShared === true) cases.push(SHARED_ISOLATION_CASES);
  return cases.flatMap(Object.entries<StorageCase>).map(([name, run]) => ({
    name,
    run: () => runStorageCase(harness, run),
  }));
}
