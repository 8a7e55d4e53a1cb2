/** What was acknowledged is there after a restart. */
import assert from "node:assert/strict";
import { append, offsetsOf, readAll } from "../read-store.ts";
import {
  NOW,
  sketchAccount,
  sketchChallenge,
  sketchOperation,
  sketchOperations,
  sketchSecret,
  sketchSession,
} from "../samples.ts";
import type { StoreCase } from "../store-case.ts";

export const RESTART_CASES: readonly StoreCase[] = [
  {
    name: "the log, its generation and its states outlive a restart",
    async prove({ store, reopen }) {
      await append(store, sketchOperations(5));
      await append(store, [sketchOperation(9, { entityId: "note/phone-1", kind: "delete" })]);
      const before = await readAll(store);
      const restarted = await reopen();
      assert.deepEqual(await readAll(restarted), before);
      const receipts = await append(restarted, sketchOperations(5));
      assert.ok(receipts.every(({ duplicate }) => duplicate));
    },
  },
  {
    name: "offsets are never used again, not after a restart either",
    async prove({ store, reopen }) {
      const used = offsetsOf(await append(store, sketchOperations(3)));
      let current = store;
      for (let round = 0; round < 3; round++) {
        current = await reopen();
        const receipts = await append(current, sketchOperations(2, `device-${round}`));
        for (const { offset } of receipts) {
          assert.ok(offset > Math.max(...used), `${offset} comes after ${used.join(", ")}`);
          used.push(offset);
        }
      }
    },
  },
  {
    name: "account, challenge, used secret, failures and sessions outlive a restart",
    async prove({ store, reopen }) {
      const failure = { failures: 3, lastFailureAt: NOW, blockedUntil: NOW + 1 };
      await store.transaction(async ({ identity, sessions }) => {
        await identity.addAccount(sketchAccount("anna"));
        await identity.addChallenge(sketchChallenge("challenge"), 10);
        await identity.addSecret(sketchSecret("code"));
        await identity.burnSecret("code", "authorization-code", NOW);
        await identity.writeFailure("name", failure);
        await sessions.open(sketchSession("phone"));
        await sessions.addAccess("family-of-phone", { hash: "token", expiresAt: NOW + 1000 });
        await sessions.open(sketchSession("gone"));
        await sessions.addAccess("family-of-gone", { hash: "ended", expiresAt: NOW + 1000 });
      });
      await store.transaction(({ sessions }) => sessions.revokeDevice("gone"));
      const restarted = await reopen();
      await restarted.transaction(async ({ identity }) => {
        assert.deepEqual(await identity.listAccounts(), [sketchAccount("anna")]);
        assert.deepEqual(await identity.takeChallenge("challenge"), sketchChallenge("challenge"));
        const use = await identity.burnSecret("code", "authorization-code", NOW + 5);
        assert.equal(use?.usedBefore, NOW);
        assert.deepEqual((await identity.readFailures(["name"])).get("name"), failure);
      });
      const grant = await restarted.findAccess("token", NOW);
      assert.deepEqual(grant?.session, sketchSession("phone"));
      assert.equal(await restarted.findAccess("ended", NOW), null);
    },
  },
];
