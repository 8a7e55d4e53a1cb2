/**
 * `trellis/client/storage-contract`: tests whether a storage fulfils the port, in any runtime.
 *
 *     for (const { name, run } of createStorageCases(harness)) test(name, run);
 */
import type { SyncStorage } from "../sync/storage.ts";
import { ISOLATION_CASES } from "./isolation-cases.ts";
import { RECORD_CASES } from "./record-cases.ts";
import { runStorageCase, type StorageCase, type StorageHarness } from "./storage-case.ts";
import { TRANSACTION_CASES } from "./transaction-cases.ts";

export type { StorageHarness, StoragePlace } from "./storage-case.ts";
export type { SyncStorage };

const CASES: readonly StorageCase[] = [...RECORD_CASES, ...TRANSACTION_CASES, ...ISOLATION_CASES];

export interface RunnableStorageCase {
  readonly name: string;
  /** Rejects when the storage fails the case. */
  run(): Promise<void>;
}

/** The cases that apply to this storage; each runs on a new, empty one. */
export function createStorageCases(harness: StorageHarness): RunnableStorageCase[] {
  const isApplicable = ({ needs }: StorageCase) =>
    (needs !== "sharing" || harness.isShared === true) &&
    (needs !== "durability" || harness.isDurable !== false);
  return CASES.filter(isApplicable).map((storageCase) => ({
    name: storageCase.name,
    run: () => runStorageCase(harness, storageCase),
  }));
}
