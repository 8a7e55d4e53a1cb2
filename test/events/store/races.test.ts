import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { EventsRecords, EventsStore } from "../../../src/events/store.ts";
import { testOnBothStores, type EventsPlace } from "./on-both-stores.ts";
import {
  addAccount,
  addSource,
  eventsOf,
  NOW,
  prepare,
  put,
  sampleGrant,
  sampleInteraction,
  sampleSubscription,
  write,
} from "./samples.ts";

const WRITER = fileURLToPath(new URL("run-writer.ts", import.meta.url));

/** Runs `work` many times in parallel on two connections to one store. */
async function askAtOnce<T>(
  place: EventsPlace,
  ask: (records: EventsRecords, turn: number) => Promise<T>,
  times: number,
): Promise<T[]> {
  const stores: EventsStore[] = [await place.open(), await place.open()];
  return Promise.all(
    Array.from({ length: times }, (_, turn) =>
      (stores[turn % 2] as EventsStore).transaction((records) => ask(records, turn)),
    ),
  );
}

testOnBothStores("writers in several processes never share a stamp", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const rounds = 30;
  const writers = ["left", "right"].map((name) => {
    const { store: address, dataDir } = place;
    const words = [address, dataDir, ...at, name, String(rounds)];
    const child = spawn(process.execPath, [WRITER, ...words], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return once(child, "close").then(([code]) => assert.equal(code, 0));
  });
  // An app that follows the changes meanwhile, page after page, must end where the store does.
  const seen = new Map<string, string>();
  const stamps: number[] = [];
  let isOver = false;
  const ending = Promise.all(writers).finally(() => {
    isOver = true;
  });
  for (let since = 0; ;) {
    const wasOver = isOver;
    const page = await store.events.listChanges(at[0], since, 7, true);
    for (const event of eventsOf(page)) seen.set(event.id, JSON.stringify(event));
    if (page.lastStamp !== null) {
      stamps.push(page.lastStamp);
      since = page.lastStamp + 1;
    } else if (wasOver) break;
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await ending;
  const all = eventsOf(await store.events.listChanges(at[0], 0, 1000, true));
  assert.equal(all.length, 2 * (2 * rounds + 1));
  assert.deepEqual([...seen.values()].sort(), all.map((event) => JSON.stringify(event)).sort());
  assert.deepEqual(
    stamps,
    [...new Set(stamps)].sort((a, b) => a - b),
  );
  const [row] = await store.database.query<{ changes: number; last: number }>(
    "SELECT count(DISTINCT updated_at) AS changes, max(updated_at) AS last FROM events_entries",
  );
  assert.equal(row?.changes, all.length);
  // Four stamps a round from each, while the clock stands still or goes back.
  assert.equal(row?.last, NOW + 2 * 4 * rounds - 1);
});

testOnBothStores("parallel claims get different subscriptions", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  for (let index = 0; index < 10; index++) {
    const source = await addSource(store, accountId, `feed-${index}`, { kind: "subscription" });
    await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
  }
  const claims = await askAtOnce(
    place,
    ({ subscriptions }) => subscriptions.claimDue(NOW, NOW + 1, 3),
    20,
  );
  const names = claims.flat().map(({ name }) => name);
  assert.equal(names.length, 10);
  assert.equal(new Set(names).size, 10);
});

testOnBothStores("parallel requests together are not counted beyond the limit", async (place) => {
  const taken = await askAtOnce(
    place,
    ({ rateLimitCounters }) =>
      rateLimitCounters.take("subject", { start: NOW, end: NOW + 1 }, 3, 20),
    40,
  );
  assert.equal(
    taken.reduce((sum, count) => sum + count, 0),
    20,
  );
});

testOnBothStores("an interaction is taken by one", async (place) => {
  const store = await place.open();
  const interaction = sampleInteraction("one");
  await store.transaction(({ interactions }) => interactions.add(interaction, 10));
  const taken = await askAtOnce(
    place,
    ({ interactions }) => interactions.take(interaction.interactionHash, NOW),
    20,
  );
  assert.equal(taken.filter((one) => one !== null).length, 1);
});

testOnBothStores("a grant is revoked by one", async (place) => {
  const store = await place.open();
  const grant = sampleGrant(await addAccount(store, "ada"), "one");
  await store.transaction(({ grants }) => grants.add(grant));
  const revoked = await askAtOnce(
    place,
    ({ grants }, turn) =>
      turn % 3 === 0
        ? grants.revokeToken(grant.tokenHash, grant.clientId)
        : grants.revoke(grant.grantId),
    20,
  );
  assert.equal(revoked.filter(Boolean).length, 1);
});

testOnBothStores("a source and a subscription are added by one", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const results = await askAtOnce(
    place,
    async ({ sources, subscriptions }, turn) => {
      const source = await sources.findOrAdd({
        sourceId: `source-${turn}`,
        accountId,
        kind: "subscription",
        name: "feed",
        createdAt: NOW,
      });
      return {
        sourceId: source.sourceId,
        isAdded: await subscriptions.add(sampleSubscription(source)),
      };
    },
    12,
  );
  assert.equal(new Set(results.map(({ sourceId }) => sourceId)).size, 1);
  assert.equal(results.filter(({ isAdded }) => isAdded).length, 1);
});

testOnBothStores("a full page is one moment while events move", async (place) => {
  const [store, beside] = [await place.open(), await place.open()];
  const at = await prepare(store);
  const dates = ["2026-08-01", "2026-09-01", null];
  const ids = Array.from({ length: 30 }, (_, index) => `event-${index}`);
  await write(
    store,
    at,
    ids.map((id) => put(id)),
  );
  let isOver = false;
  const writing = (async () => {
    for (let round = 0; round < 40; round++) {
      await write(
        beside,
        at,
        ids.map((id, index) => put(id, dates[(round + index) % 3] ?? null)),
      );
    }
    isOver = true;
  })();
  for (let reads = 0; !isOver || reads < 5; reads++) {
    const page = await store.events.listAll(at[0], NOW, 30);
    assert.equal(new Set(eventsOf(page).map(({ id }) => id)).size, 30);
    assert.equal(page.hasMore, false);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
});
