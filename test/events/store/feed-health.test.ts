import assert from "node:assert/strict";
import { readFeedHealth } from "../../../src/events/maintenance/read-status.ts";
import type { Subscription } from "../../../src/events/store.ts";
import { testOnBothStores } from "./on-both-stores.ts";
import { addAccount, addSource, NOW, sampleSubscription } from "./samples.ts";

testOnBothStores("subscriptions are counted by how their last fetch went", async (place) => {
  const store = await place.open();
  assert.deepEqual(await readFeedHealth(store.database, NOW), {
    ok: 0,
    failing: 0,
    waiting: 0,
    overdue: 0,
  });
  const accountId = await addAccount(store, "ada");
  const states: Record<string, Partial<Subscription>> = {
    fetched: { lastFetchedAt: NOW, lastError: null, nextFetchAt: NOW + 1 },
    "fetched again": { lastFetchedAt: NOW, lastError: null, nextFetchAt: NOW - 1 },
    failed: { lastFetchedAt: NOW, lastError: "not-found", nextFetchAt: NOW + 1 },
    "failed at first": { lastFetchedAt: null, lastError: "timeout", nextFetchAt: NOW + 1 },
    "new and overdue": {
      lastFetchedAt: null,
      lastError: null,
      nextFetchAt: NOW - 10 * 60_000,
    },
  };
  for (const [name, given] of Object.entries(states)) {
    const subscription = sampleSubscription(await addSource(store, accountId, name), given);
    await store.transaction(({ subscriptions }) => subscriptions.add(subscription));
  }
  assert.deepEqual(await readFeedHealth(store.database, NOW), {
    ok: 2,
    failing: 2,
    waiting: 1,
    overdue: 1,
  });
});
