/** `trellis/sync/store-contract`: tests whether a store fulfils the port. */
import { ACCOUNT_KEY_CASES, SHARED_ACCOUNT_KEY_CASES } from "./cases/account-keys.ts";
import { ACCOUNT_CASES } from "./cases/accounts.ts";
import { APPEND_CASES } from "./cases/append.ts";
import { CHALLENGE_CASES } from "./cases/challenges.ts";
import { CHANGE_CASES, SHARED_CHANGE_CASES } from "./cases/changes.ts";
import { CLOCK_CASES, SHARED_CLOCK_CASES } from "./cases/clock.ts";
import { COMPACTION_CASES } from "./cases/compaction.ts";
import { CONCURRENCY_CASES } from "./cases/concurrency.ts";
import { DELETION_CASES } from "./cases/deletion.ts";
import { HISTORY_CASES } from "./cases/histories.ts";
import { KNOWN_BROWSER_CASES } from "./cases/known-browsers.ts";
import { COMPACTED_FIELD_CASES, FIELD_CASES } from "./cases/fields.ts";
import { COMPACTED_MARK_CASES, MARK_CASES } from "./cases/marks.ts";
import { OWNER_CASES } from "./cases/owner.ts";
import { COMPACTED_PAGE_CASES, PAGE_CASES } from "./cases/pages.ts";
import { PASSKEY_RECORD_CASES } from "./cases/passkeys.ts";
import { PRUNE_CASES } from "./cases/prune.ts";
import { RATE_LIMIT_CASES } from "./cases/rate-limits.ts";
import { RESTART_CASES } from "./cases/restart.ts";
import { SECRET_CASES } from "./cases/secrets.ts";
import { SECURITY_EVENT_CASES } from "./cases/security-events.ts";
import { DEVICE_SESSION_CASES } from "./cases/sessions.ts";
import { SHARING_CASES } from "./cases/sharing.ts";
import { SIGN_IN_HISTORY_CASES } from "./cases/sign-ins.ts";
import { SNAPSHOT_CASES } from "./cases/snapshot.ts";
import { TRANSACTION_CASES } from "./cases/transactions.ts";
import { runStoreCase, type StoreCase, type StoreCases, type StoreHarness } from "./store-case.ts";

export type { StoreHarness, StorePlace } from "./store-case.ts";

const CASES: readonly StoreCases[] = [
  TRANSACTION_CASES,
  ACCOUNT_CASES,
  CHALLENGE_CASES,
  KNOWN_BROWSER_CASES,
  PASSKEY_RECORD_CASES,
  RATE_LIMIT_CASES,
  SECRET_CASES,
  SECURITY_EVENT_CASES,
  DEVICE_SESSION_CASES,
  OWNER_CASES,
  SIGN_IN_HISTORY_CASES,
  APPEND_CASES,
  CLOCK_CASES,
  ACCOUNT_KEY_CASES,
  PAGE_CASES,
  FIELD_CASES,
  MARK_CASES,
  HISTORY_CASES,
  SNAPSHOT_CASES,
  CONCURRENCY_CASES,
  RESTART_CASES,
  PRUNE_CASES,
  CHANGE_CASES,
  DELETION_CASES,
];

/** A case of the contract of stores, for the `test` function of any test runner. */
export interface RunnableCase {
  /** What the store has to do. */
  readonly name: string;
  /** Rejects with an AssertionError when the store fails the case. */
  run(): Promise<void>;
}

/**
 * Makes the cases that test whether your store keeps the promises of the port. Each case runs on a new,
 * empty store.
 * @param harness - opens your store at an empty place, and says what it can do
 * @returns the cases that apply to this store
 * @example
 * ```ts
 * import { test } from "node:test";
 * import type { SyncStore } from "trellis/sync";
 * import { createStoreCases } from "trellis/sync/store-contract";
 *
 * declare function openMyStore(schema: string): Promise<SyncStore>;
 * declare function dropSchema(schema: string): Promise<void>;
 *
 * const cases = createStoreCases({
 *   async createPlace() {
 *     const schema = `case_${crypto.randomUUID()}`;
 *     return { open: () => openMyStore(schema), remove: () => dropSchema(schema) };
 *   },
 * });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function createStoreCases(harness: StoreHarness): RunnableCase[] {
  const cases = [...CASES];
  if (harness.compact !== undefined) {
    cases.push(COMPACTED_MARK_CASES, COMPACTED_PAGE_CASES, COMPACTED_FIELD_CASES, COMPACTION_CASES);
  }
  if (harness.isShared === true) {
    cases.push(SHARED_CHANGE_CASES, SHARED_CLOCK_CASES, SHARED_ACCOUNT_KEY_CASES, SHARING_CASES);
  }
  return cases.flatMap(Object.entries<StoreCase>).map(([name, run]) => ({
    name,
    run: () => runStoreCase(harness, run),
  }));
}
