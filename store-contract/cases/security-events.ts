import assert from "node:assert/strict";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { SyncStore } from "../../src/sync/store.ts";
import { NOW } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

async function listCounts(store: SyncStore) {
  const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
  return counts
    .map(({ kind, total, lastAt }) => ({ kind, total, lastAt }))
    .sort((a, b) => a.kind.localeCompare(b.kind));
}

export const SECURITY_EVENT_CASES: StoreCases = {
  "security events are counted by kind, across pruning and a restart": async ({
    store,
    reopen,
  }) => {
    assert.deepEqual(await listCounts(store), []);
    await store.transaction(async ({ identity }) => {
      await identity.countSecurityEvent("code-replay", NOW);
      await identity.countSecurityEvent("new-device", NOW + 1);
      await identity.countSecurityEvent("code-replay", NOW + 2);
    });
    await store.prune(NOW + 1000 * DAY_MS);
    assert.deepEqual(await listCounts(await reopen()), [
      { kind: "code-replay", total: 2, lastAt: NOW + 2 },
      { kind: "new-device", total: 1, lastAt: NOW + 1 },
    ]);
  },
  "a transaction that throws counts no security event": async ({ store }) => {
    const failing = store.transaction(async ({ identity }) => {
      await identity.countSecurityEvent("code-replay", NOW);
      throw new Error("rolled back");
    });
    await assert.rejects(failing, { message: "rolled back" });
    assert.deepEqual(await listCounts(store), []);
  },
  "the probe of a store that can be written changes nothing that is read": async ({ store }) => {
    const before = await store.operations.head();
    await store.probeWrite(NOW);
    await store.probeWrite(NOW + 1);
    assert.deepEqual(await store.operations.head(), before);
    assert.deepEqual(await listCounts(store), []);
  },
};
