/** Two processes with one store. */
import assert from "node:assert/strict";
import { append, offsetsOf, readLog } from "../read-store.ts";
import { NOW, sampleAccount, sampleOperations, sampleSecret, sampleSession } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";
import { followLog, writeAtOnce } from "../write-at-once.ts";

export const SHARING_CASES: StoreCases = {
  "with two processes, readers beside writers pull every operation once, in order": async ({
    store,
    openBeside,
  }) => {
    const beside = await openBeside();
    const writing = writeAtOnce([store, beside, store, beside], 10);
    const [seen, seenBeside] = await Promise.all([
      followLog(store, writing),
      followLog(beside, writing),
      writing,
    ]);
    const log = await readLog(store.operations);
    assert.equal(log.length, (await writing).flat().length);
    assert.deepEqual(seen, log);
    assert.deepEqual(seenBeside, log);
  },
  "a change that one process acknowledged is visible to the other at once": async ({
    store,
    openBeside,
  }) => {
    const beside = await openBeside();
    const receipts = await append(store, sampleOperations(3));
    assert.equal((await beside.operations.head()).headOffset, receipts.at(-1)?.offset);
    const replayed = await append(beside, sampleOperations(3));
    assert.deepEqual(offsetsOf(replayed), offsetsOf(receipts));
    await store.transaction(async ({ sessions }) => {
      await sessions.open(sampleSession("phone"));
      await sessions.addAccess("family-of-phone", { hash: "token", expiresAt: NOW + 1000 });
    });
    assert.notEqual(await beside.findAccess("token", NOW), null);
    await store.transaction(({ sessions }) => sessions.revokeAll());
    assert.equal(await beside.findAccess("token", NOW), null);
  },
  "with two processes, one use of a secret is the first, and there is one account": async ({
    store,
    openBeside,
  }) => {
    const stores = [store, await openBeside()];
    await store.transaction(({ identity }) => identity.addSecret(sampleSecret("code")));
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        stores[index % 2]!.transaction(async ({ identity }) => ({
          use: await identity.consumeSecret("code", "authorization-code", NOW),
          isAdded: await identity.addAccount(sampleAccount(`anna${index}`)),
        })),
      ),
    );
    assert.equal(results.filter(({ use }) => use?.usedBefore === null).length, 1);
    assert.equal(results.filter(({ isAdded }) => isAdded).length, 1);
  },
};
