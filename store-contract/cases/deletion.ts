/** What is left when the owner deletes everything: nothing but counts, and a log that goes on. */
import assert from "node:assert/strict";
import type { SyncStore } from "../../src/sync/store.ts";
import { append, readKeys, readLog, readSnapshot } from "../read-store.ts";
import {
  MANY_BROWSERS,
  MANY_CHALLENGES,
  NOW,
  sampleAccount,
  sampleAccountKey,
  sampleChallenge,
  sampleKnownBrowser,
  sampleOperations,
  samplePasskey,
  sampleSecret,
  sampleSession,
  sampleSignIn,
} from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const ANNA = "account-of-anna";
const SESSION = {
  sessionHash: "browser",
  accountId: ANNA,
  createdAt: NOW,
  idleExpiresAt: NOW + 5000,
  absoluteExpiresAt: NOW + 5000,
  browser: null,
  system: null,
};

/** Something of everything. */
async function fill(store: SyncStore): Promise<void> {
  await store.transaction(async ({ identity, sessions, browserSessions, log }) => {
    await identity.addAccount(sampleAccount("anna"));
    await identity.addChallenge(sampleChallenge("challenge"), MANY_CHALLENGES);
    await identity.addSecret(sampleSecret("code"));
    await identity.addKnownBrowser(sampleKnownBrowser("token"), MANY_BROWSERS);
    await identity.writeFailure("name", { failures: 9, lastFailureAt: NOW, blockedUntil: NOW });
    await identity.noteSignIn(ANNA, sampleSignIn(), { maxEach: 9, windowMs: 1 });
    await identity.addPasskey(samplePasskey("passkey"));
    await identity.countSecurityEvent("everything-deleted", NOW);
    await sessions.open(sampleSession("phone"));
    await browserSessions.open(SESSION);
    await log.nameHistory("history");
  });
  await append(store, sampleOperations(3));
  await store.keys.add(sampleAccountKey("first"), null);
}

async function deleteAll(store: SyncStore): Promise<void> {
  await store.transaction(async ({ identity, sessions, log }) => {
    await log.clear();
    await sessions.revokeAll();
    await identity.removeAll();
  });
}

export const DELETION_CASES: StoreCases = {
  "an account is removed with everything that belongs to it, but the counts of events": async ({
    store,
  }) => {
    await fill(store);
    assert.equal(await store.hasAccount(), true);
    await deleteAll(store);
    assert.equal(await store.hasAccount(), false);
    assert.equal(await store.findBrowserSession("browser", NOW), null);
    assert.deepEqual(await store.findKnownBrowsers(["token"], NOW), []);
    assert.equal((await store.readFailures(["name"])).size, 0);
    await store.transaction(async ({ identity }) => {
      assert.deepEqual(await identity.listAccounts(), []);
      assert.deepEqual(await identity.listSignIns(ANNA), []);
      assert.deepEqual(await identity.listPasskeys(ANNA), []);
      assert.equal(await identity.takeChallenge("challenge"), null);
      assert.equal(await identity.consumeSecret("code", "authorization-code", NOW), null);
      assert.equal((await identity.listSecurityCounts()).length, 1);
      assert.equal(await identity.addAccount(sampleAccount("anna")), true, "there is room again");
    });
    assert.equal(await store.findBrowserSession("browser", NOW), null, "nothing revives");
  },
  "a cleared log is empty, begins a generation, and has neither old offsets nor a memory": async ({
    store,
    reopen,
  }) => {
    await fill(store);
    const before = await store.operations.head();
    await deleteAll(store);
    const after = await store.operations.head();
    assert.notEqual(after.generation, before.generation);
    assert.ok(after.headOffset >= before.headOffset, "no offset is used again");
    assert.notEqual(after.mark, before.mark);
    assert.deepEqual(await readLog(store.operations), []);
    assert.deepEqual((await readSnapshot(store.operations)).states, []);
    assert.deepEqual((await store.readUsage(0)).days, []);
    assert.deepEqual(await readKeys(store), []);
    assert.equal(after.keyId, null);
    assert.equal(await store.transaction(({ log }) => log.readHistory()), null);
    const again = await reopen();
    assert.deepEqual(await again.operations.head(), after, "also after a restart");
    await again.transaction(({ sessions }) => sessions.open(sampleSession("phone")));
    const receipts = await append(again, sampleOperations(3));
    assert.ok(
      receipts.every(({ duplicate }) => !duplicate),
      "a device that signs in again uploads what it has",
    );
  },
  "a push or a key that was on its way when everything was deleted stores nothing": async ({
    store,
  }) => {
    await append(store, sampleOperations(1, "tablet"));
    await fill(store);
    await deleteAll(store);
    const result = await store.operations.append(sampleOperations(1, "watch"), NOW);
    assert.deepEqual(result, { kind: "cleared" });
    assert.deepEqual(await readLog(store.operations), []);
    const key = sampleAccountKey("second");
    assert.deepEqual(await store.keys.add(key, null), { kind: "cleared" });
    await store.transaction(({ sessions }) => sessions.open(sampleSession("phone")));
    assert.equal((await store.keys.add(key, null)).kind, "added");
  },
  "a deletion that throws deletes nothing": async ({ store }) => {
    await fill(store);
    const before = await store.operations.head();
    const failing = store.transaction(async ({ identity, log }) => {
      await log.clear();
      await identity.removeAll();
      throw new Error("rolled back");
    });
    await assert.rejects(failing, { message: "rolled back" });
    assert.deepEqual(await store.operations.head(), before);
    assert.equal((await readLog(store.operations)).length, 3);
    assert.equal(await store.hasAccount(), true);
    assert.notEqual(await store.findBrowserSession("browser", NOW), null);
  },
};
