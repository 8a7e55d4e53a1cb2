import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventsStore } from "../../../src/events/store.ts";
import type { RateLimiter } from "../../../src/http/rate-limit.ts";
import { createSharedRateLimiter } from "../../../src/http/shared-rate-limit.ts";
import { createInstanceKey, createKeyedHash } from "../../../src/identity/instance-key.ts";
import { createPlace, testOnBothStores } from "../store/on-both-stores.ts";
import { MINUTE_MS, START } from "./events-instance.ts";

const HASH = createKeyedHash(createInstanceKey(new Uint8Array(32).fill(7)), "test");

function createLimiter(
  store: EventsStore,
  requests: number,
  clock: { now: number },
  name = "token",
) {
  return createSharedRateLimiter({
    store,
    hash: HASH,
    name,
    limit: { requests, windowSeconds: 60 },
    now: () => clock.now,
  });
}

testOnBothStores("parallel processes together allow as many requests as one", async (place) => {
  const clock = { now: START };
  const limiters: RateLimiter[] = [];
  for (let count = 0; count < 3; count++) {
    limiters.push(createLimiter(await place.open(), 60, clock));
  }
  const consumeAll = async () => {
    const asking = Array.from({ length: 80 }, () =>
      limiters.map((limiter) => limiter.consume("192.0.2.1")),
    );
    const results = await Promise.all(asking.flat());
    return results.filter(({ kind }) => kind === "allowed").length;
  };
  assert.equal(await consumeAll(), 60);
  clock.now += MINUTE_MS - 1;
  assert.deepEqual(await limiters[0]?.consume("192.0.2.1"), {
    kind: "limited",
    retryAfterSeconds: 1,
  });
  clock.now += 1;
  assert.equal(await consumeAll(), 60);
});

test("most requests write nothing, and refused ones never do", async (t) => {
  const place = await createPlace(t, "SQLite");
  const inner = await place.open();
  let writes = 0;
  const store: EventsStore = {
    ...inner,
    transaction: (work) => {
      writes++;
      return inner.transaction(work);
    },
  };
  const clock = { now: START };
  const limiter = createLimiter(store, 120, clock);
  for (let count = 0; count < 60; count++) {
    assert.equal((await limiter.consume("someone")).kind, "allowed");
  }
  const results = await Promise.all(Array.from({ length: 60 }, () => limiter.consume("someone")));
  assert.ok(results.every(({ kind }) => kind === "allowed"));
  assert.equal(writes, 10);
  for (let count = 0; count < 50; count++) {
    assert.equal((await limiter.consume("someone")).kind, "limited");
  }
  assert.equal(writes, 11);
});

test("limits and clients are counted apart", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  const clock = { now: START };
  const [one, other] = [createLimiter(store, 1, clock), createLimiter(store, 1, clock, "other")];
  assert.equal((await one.consume("a")).kind, "allowed");
  assert.equal((await one.consume("a")).kind, "limited");
  assert.equal((await one.consume("b")).kind, "allowed");
  assert.equal((await other.consume("a")).kind, "allowed");
});

testOnBothStores("wider groups have shares of their own, in every process", async (place) => {
  const clock = { now: START };
  const limiters = [
    createLimiter(await place.open(), 10, clock),
    createLimiter(await place.open(), 10, clock),
  ];
  const from = (client: number) => [
    { key: "site", share: 3 },
    { key: `client ${client}`, share: 1 },
  ];
  const consume = (count: number, client: (index: number) => number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const result = await limiters[index % 2]?.consumeEach(from(client(index)));
        return result?.kind === "allowed" ? 1 : 0;
      }),
    ).then((allowed) => allowed.reduce<number>((sum, one) => sum + one, 0));
  // One client cannot use up what its neighbours have.
  assert.equal(await consume(40, () => 0), 10);
  const left = await consume(200, (index) => 1 + index);
  // A process that has taken a block keeps it, so that less than the share may pass, never more.
  assert.ok(left <= 20 && left >= 14, String(left));
  assert.deepEqual(await limiters[0]?.consumeEach(from(999)), {
    kind: "limited",
    retryAfterSeconds: 60,
  });
  clock.now += MINUTE_MS;
  assert.equal((await limiters[0]?.consumeEach(from(999)))?.kind, "allowed");
});

test("all groups are taken in one transaction, and a full one keeps the others unwritten", async (t) => {
  const inner = await (await createPlace(t, "SQLite")).open();
  let transactions = 0;
  const subjects = new Set<string>();
  const store: EventsStore = {
    ...inner,
    transaction: (work) => {
      transactions++;
      return inner.transaction((records) =>
        work({
          ...records,
          rateLimitCounters: {
            take: (subject, ...rest) => {
              subjects.add(subject);
              return records.rateLimitCounters.take(subject, ...rest);
            },
          },
        }),
      );
    },
  };
  const limiter = createLimiter(store, 1, { now: START });
  const from = (client: number) => [
    { key: "provider", share: 4 },
    { key: "site", share: 2 },
    { key: `client ${client}`, share: 1 },
  ];
  assert.equal((await limiter.consumeEach(from(0))).kind, "allowed");
  assert.deepEqual([transactions, subjects.size], [1, 3]);
  assert.equal((await limiter.consumeEach(from(1))).kind, "allowed");
  for (let client = 2; client < 50; client++) {
    assert.equal((await limiter.consumeEach(from(client))).kind, "limited");
  }
  assert.deepEqual([transactions, subjects.size], [3, 4]);
});

test("requests beyond a multiple of the limit are refused in memory alone, and count for no neighbour", async (t) => {
  const clock = { now: START };
  const inner = await (await createPlace(t, "SQLite")).open();
  let transactions = 0;
  const store: EventsStore = {
    ...inner,
    transaction(...given) {
      transactions++;
      return inner.transaction(...given);
    },
  };
  const limiter = createLimiter(store, 2, clock);
  const from = (client: string) => [
    { key: "site", share: 2 },
    { key: client, share: 1 },
  ];
  const admitAll = (client: string) => {
    let admitted = 0;
    while (limiter.admit(from(client), 5).kind === "allowed") admitted++;
    return admitted;
  };
  assert.equal(admitAll("a"), 10);
  // The refused requests of one client were not counted for its site, which has 20.
  assert.deepEqual([admitAll("b"), admitAll("c")], [10, 0]);
  assert.equal(transactions, 0);
  clock.now += MINUTE_MS;
  // A client that has used its limit up gets twice the limit: it may complete what it has begun.
  while ((await limiter.consumeEach(from("a"))).kind === "allowed");
  assert.equal(admitAll("a"), 4);
  assert.equal(admitAll("b"), 10);
});

test("memory is bounded: an evicted client takes a new block", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  let taken = 0;
  const take = async (_subject: string, _window: unknown, wanted: number) => {
    taken++;
    return wanted;
  };
  const counted: EventsStore = {
    ...store,
    transaction: (work) =>
      store.transaction((records) => work({ ...records, rateLimitCounters: { take } })),
  };
  const limiter = createLimiter(counted, 20, { now: START });
  for (let count = 0; count <= 10_000; count++) await limiter.consume(`client-${count}`);
  assert.equal(taken, 10_001);
  await limiter.consume("client-10000");
  assert.equal(taken, 10_001);
  await limiter.consume("client-0");
  assert.equal(taken, 10_002);
});

test("a store that is away is not mistaken for a full limit", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  const state = { isAway: true };
  const limiter = createLimiter(
    {
      ...store,
      transaction: (work) =>
        state.isAway ? Promise.reject(new Error("away")) : store.transaction(work),
    },
    10,
    { now: START },
  );
  await assert.rejects(limiter.consume("someone"), /away/);
  state.isAway = false;
  assert.equal((await limiter.consume("someone")).kind, "allowed");
});
