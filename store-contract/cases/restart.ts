import assert from "node:assert/strict";
import { append, offsetsOf, readAll } from "../read-store.ts";
import {
  MANY_BROWSERS,
  MANY_CHALLENGES,
  NOW,
  sampleAccount,
  sampleChallenge,
  sampleChallengeRecord,
  sampleKnownBrowser,
  sampleOperation,
  sampleOperations,
  sampleSecret,
  sampleSession,
} from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const RESTART_CASES: StoreCases = {
  "the log, its generation and its states survive a restart": async ({ store, reopen }) => {
    await append(store, sampleOperations(5));
    await append(store, [sampleOperation(9, { entityId: "note/phone-1", kind: "delete" })]);
    const before = await readAll(store);
    const restarted = await reopen();
    assert.deepEqual(await readAll(restarted), before);
    const receipts = await append(restarted, sampleOperations(5));
    assert.ok(receipts.every(({ duplicate }) => duplicate));
  },
  "offsets are never reused, not even after a restart": async ({ store, reopen }) => {
    const used = offsetsOf(await append(store, sampleOperations(3)));
    let current = store;
    for (let round = 0; round < 3; round++) {
      current = await reopen();
      const receipts = await append(current, sampleOperations(2, `device-${round}`));
      for (const { offset } of receipts) {
        assert.ok(offset > Math.max(...used), `${offset} comes after ${used.join(", ")}`);
        used.push(offset);
      }
    }
  },
  "account, challenge, known browser, used secret, failures and sessions survive a restart":
    async ({ store, reopen }) => {
      const failure = { failures: 3, lastFailureAt: NOW, blockedUntil: NOW + 1 };
      await store.transaction(async ({ identity, sessions }) => {
        await identity.addAccount(sampleAccount("anna"));
        await identity.addChallenge(sampleChallenge("challenge"), MANY_CHALLENGES);
        await identity.addKnownBrowser(sampleKnownBrowser("browser"), MANY_BROWSERS);
        await identity.addSecret(sampleSecret("code"));
        await identity.consumeSecret("code", "authorization-code", NOW);
        await identity.writeFailure("name", failure);
        await sessions.open(sampleSession("phone"));
        await sessions.addAccess("family-of-phone", { hash: "token", expiresAt: NOW + 1000 });
        await sessions.open(sampleSession("gone"));
        await sessions.addAccess("family-of-gone", { hash: "ended", expiresAt: NOW + 1000 });
      });
      await store.transaction(({ sessions }) => sessions.revokeDevice("gone"));
      const restarted = await reopen();
      await restarted.transaction(async ({ identity }) => {
        assert.deepEqual(await identity.listAccounts(), [sampleAccount("anna")]);
        const taken = await identity.takeChallenge("challenge");
        assert.deepEqual(taken, sampleChallengeRecord("challenge"));
        assert.equal((await identity.findKnownBrowsers(["browser"], NOW)).length, 1);
        const use = await identity.consumeSecret("code", "authorization-code", NOW + 5);
        assert.equal(use?.usedBefore, NOW);
        assert.deepEqual((await identity.readFailures(["name"])).get("name"), failure);
      });
      const grant = await restarted.findAccess("token", NOW);
      assert.deepEqual(grant?.session, sampleSession("phone"));
      assert.equal(await restarted.findAccess("ended", NOW), null);
    },
};
