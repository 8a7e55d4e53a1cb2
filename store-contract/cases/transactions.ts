import assert from "node:assert/strict";
import { NOW, sampleAccount, sampleSecret, sampleSession } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const TRANSACTION_CASES: StoreCases = {
  "an open store responds to a ping": ({ store }) => store.ping(),
  "a transaction resolves and rejects like its work": async ({ store }) => {
    assert.equal(await store.transaction(async () => "given"), "given");
    const error = new Error("of the work");
    const thrown = await store
      .transaction(() => Promise.reject(error))
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    assert.equal(thrown, error);
    assert.equal(await store.transaction(async () => "still here"), "still here");
  },
  "a transaction that throws changes nothing": async ({ store }) => {
    const access = { hash: "token", expiresAt: NOW + 1000 };
    await store.transaction(async ({ identity, sessions }) => {
      await sessions.open(sampleSession("tablet"));
      await identity.addSecret(sampleSecret("kept"));
    });
    const work = store.transaction(async ({ identity, sessions }) => {
      await identity.addAccount(sampleAccount("anna"));
      await identity.addSecret(sampleSecret("new"));
      await identity.consumeSecret("kept", "authorization-code", NOW);
      await identity.writeFailure("x", { failures: 1, lastFailureAt: NOW, blockedUntil: NOW });
      await sessions.open(sampleSession("phone"));
      await sessions.addAccess("family-of-phone", access);
      await sessions.revokeDevice("tablet");
      throw new Error("half way");
    });
    await assert.rejects(work, /half way/);
    await store.transaction(async ({ identity, sessions }) => {
      assert.deepEqual(await identity.listAccounts(), []);
      assert.equal(await identity.consumeSecret("new", "authorization-code", NOW), null);
      const use = await identity.consumeSecret("kept", "authorization-code", NOW);
      assert.equal(use?.usedBefore, null);
      assert.equal((await identity.readFailures(["x"])).size, 0);
      assert.equal(await sessions.find("family-of-phone"), null);
      assert.deepEqual(await sessions.find("family-of-tablet"), sampleSession("tablet"));
    });
    assert.equal(await store.findAccess("token", NOW), null);
  },
  "concurrent transactions are serialized, and no update is lost": async ({ store }) => {
    const count = 20;
    const add = () =>
      store.transaction(async ({ identity }) => {
        const before = (await identity.readFailures(["counted"])).get("counted");
        const failures = (before?.failures ?? 0) + 1;
        await identity.writeFailure("counted", {
          failures,
          lastFailureAt: NOW,
          blockedUntil: NOW,
        });
        return failures;
      });
    const seen = await Promise.all(Array.from({ length: count }, add));
    const each = Array.from({ length: count }, (_, index) => index + 1);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      each,
    );
  },
  "of concurrent transactions, one that fails fails alone": async ({ store }) => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        store.transaction(async ({ identity }) => {
          await identity.addSecret(sampleSecret(`secret-${index}`));
          if (index % 3 === 0) throw new Error("not this one");
        }),
      ),
    );
    const stored = await store.transaction(async ({ identity }) => {
      const uses: boolean[] = [];
      for (let index = 0; index < 12; index++) {
        const hash = `secret-${index}`;
        uses.push((await identity.consumeSecret(hash, "authorization-code", NOW)) !== null);
      }
      return uses;
    });
    const wanted = Array.from({ length: 12 }, (_, index) => index % 3 !== 0);
    assert.deepEqual(
      results.map(({ status }) => status === "fulfilled"),
      wanted,
    );
    assert.deepEqual(stored, wanted);
  },
};
