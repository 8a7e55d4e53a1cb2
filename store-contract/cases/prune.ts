import assert from "node:assert/strict";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { IdentityRecords } from "../../src/identity/identity-records.ts";
import { append, readAll } from "../read-store.ts";
import {
  MANY_BROWSERS,
  MANY_CHALLENGES,
  NOW,
  sampleAccount,
  sampleChallenge,
  sampleKnownBrowser,
  sampleOperations,
  sampleSecret,
  sampleSession,
} from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const END = NOW + 5000;

/** An account, and what expires at `END`. */
async function addExpiring(identity: IdentityRecords): Promise<void> {
  await identity.addAccount(sampleAccount("anna"));
  await identity.addChallenge(sampleChallenge("challenge", { expiresAt: END }), MANY_CHALLENGES);
  await identity.addKnownBrowser(sampleKnownBrowser("browser", { expiresAt: END }), MANY_BROWSERS);
  await identity.addSecret(sampleSecret("code", { expiresAt: NOW, keepUntil: END }));
}

export const PRUNE_CASES: StoreCases = {
  "pruning keeps records until they expire": async ({ store }) => {
    const failure = { failures: 6, lastFailureAt: END - DAY_MS, blockedUntil: NOW };
    await store.transaction(async ({ identity, sessions }) => {
      await addExpiring(identity);
      await identity.writeFailure("name", failure);
      const ends = { idleExpiresAt: END, absoluteExpiresAt: END };
      await sessions.open(sampleSession("phone", ends));
      await sessions.addAccess("family-of-phone", { hash: "token", expiresAt: END });
    });
    await store.prune(END - 1);
    assert.notEqual(await store.findAccess("token", END - 1), null);
    await store.transaction(async ({ identity, sessions }) => {
      assert.notEqual(await sessions.find("family-of-phone"), null);
      assert.notEqual(await identity.takeChallenge("challenge"), null);
      assert.equal((await identity.findKnownBrowsers(["browser"], NOW)).length, 1);
      assert.notEqual(await identity.consumeSecret("code", "authorization-code", NOW), null);
      assert.deepEqual((await identity.readFailures(["name"])).get("name"), failure);
      assert.equal((await identity.listAccounts()).length, 1);
    });
  },
  "pruning removes expired records": async ({ store }) => {
    await store.transaction(async ({ identity, sessions }) => {
      await addExpiring(identity);
      const lastFailureAt = END - DAY_MS;
      await identity.writeFailure("name", { failures: 6, lastFailureAt, blockedUntil: NOW });
      await sessions.open(sampleSession("idle", { idleExpiresAt: END }));
      await sessions.open(sampleSession("absolute", { absoluteExpiresAt: END }));
      await sessions.open(sampleSession("alive"));
      await sessions.addAccess("family-of-alive", { hash: "expired", expiresAt: END });
      await sessions.addAccess("family-of-alive", { hash: "good", expiresAt: END + 1 });
    });
    await store.prune(END);
    // Only a token that was removed is not found at a time before its expiry.
    assert.equal(await store.findAccess("expired", NOW), null);
    assert.notEqual(await store.findAccess("good", NOW), null);
    await store.transaction(async ({ identity, sessions }) => {
      assert.equal(await sessions.find("family-of-idle"), null);
      assert.equal(await sessions.find("family-of-absolute"), null);
      assert.notEqual(await sessions.find("family-of-alive"), null);
      assert.equal(await identity.takeChallenge("challenge"), null);
      assert.equal((await identity.findKnownBrowsers(["browser"], NOW)).length, 0);
      assert.equal(await identity.consumeSecret("code", "authorization-code", NOW), null);
      assert.equal((await identity.readFailures(["name"])).size, 0);
      assert.equal((await identity.listAccounts()).length, 1);
    });
  },
  "pruning removes no operation": async ({ store }) => {
    await append(store, sampleOperations(3));
    const before = await readAll(store);
    await store.prune(NOW + 1000 * DAY_MS);
    assert.deepEqual(await readAll(store), before);
  },
};
