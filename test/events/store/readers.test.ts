import assert from "node:assert/strict";
import { testOnBothStores } from "./on-both-stores.ts";
import { eventsOf, NOW, prepare, put, sampleGrant, sampleSession, write } from "./samples.ts";

testOnBothStores("tokens, sessions and lists are read while a writer works", async (place) => {
  const store = await place.open();
  const account = await prepare(store);
  const [accountId] = account;
  await write(store, account, [put("one")]);
  await store.transaction(async ({ grants, sessions }) => {
    await grants.add(sampleGrant(accountId, "app"));
    await sessions.open(sampleSession(accountId, "browser"));
  });
  for (const holder of [store, await place.open()]) {
    const inside = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let isHeld = true;
    const holding = holder.database
      .transaction(async (tx) => {
        await tx.query("DELETE FROM events_entries");
        await tx.query("DELETE FROM events_grants");
        await tx.query("DELETE FROM events_sessions");
        inside.resolve();
        await release.promise;
        throw new Error("nothing is deleted");
      })
      .finally(() => (isHeld = false));
    await inside.promise;
    assert.notEqual(await store.findGrant("hash-of-app", NOW), null);
    assert.notEqual(await store.findSession("browser", NOW), null);
    assert.equal(eventsOf(await store.events.listAll(accountId, NOW, 10)).length, 1);
    assert.equal(eventsOf(await store.events.listChanges(accountId, 0, 10, true)).length, 1);
    assert.equal((await store.events.listManaged(accountId, NOW, 0, 10)).events.length, 1);
    assert.equal(isHeld, true);
    release.resolve();
    await assert.rejects(holding, /nothing is deleted/);
  }
});
