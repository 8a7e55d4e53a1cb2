import assert from "node:assert/strict";
import { TOMBSTONE_LIFETIME_SECONDS } from "../../../src/contract/events/values.ts";
import { ConstraintError } from "../../../src/database/database.ts";
import { testOnBothStores } from "./on-both-stores.ts";
import {
  addAccount,
  addSource,
  DAY_MS,
  eventsOf,
  NOW,
  prepare,
  put,
  remove,
  sampleGrant,
  sampleInteraction,
  sampleSession,
  sampleSource,
  sampleSubscription,
  write,
} from "./samples.ts";

testOnBothStores("the last profile that was put is found", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const find = () => store.transaction(({ profiles }) => profiles.find(accountId));
  assert.equal(await find(), null);
  for (const language of ["de", null] as const) {
    const profile = { accountId, timeZone: "Europe/Berlin", language };
    await store.transaction(({ profiles }) => profiles.put(profile));
    assert.deepEqual(await find(), profile);
  }
});

testOnBothStores("a session lives until its idle or its absolute end", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "Zoë");
  const session = sampleSession(accountId, "one");
  await store.transaction(({ sessions }) => sessions.open(session));
  const end = session.idleExpiresAt;
  assert.deepEqual(await store.findSession("one", end - 1), { ...session, username: "Zoë" });
  assert.equal(await store.findSession("one", end), null);
  assert.equal(await store.findSession("two", NOW), null);
  await store.transaction(({ sessions }) => sessions.touch("one", NOW + 30 * DAY_MS));
  assert.equal((await store.findSession("one", end))?.idleExpiresAt, NOW + 30 * DAY_MS);
  assert.equal(await store.findSession("one", session.absoluteExpiresAt), null);
  await store.transaction(({ sessions }) => sessions.close("one"));
  assert.equal(await store.findSession("one", NOW), null);
});

testOnBothStores("all sessions of one account end, and no other", async (place) => {
  const store = await place.open();
  const [ada, grace] = [await addAccount(store, "ada"), await addAccount(store, "grace")];
  const closed = await store.transaction(async ({ sessions }) => {
    await sessions.open(sampleSession(ada, "a1"));
    await sessions.open(sampleSession(ada, "a2"));
    await sessions.open(sampleSession(grace, "g1"));
    return sessions.closeAll(ada);
  });
  assert.equal(closed, 2);
  assert.equal(await store.findSession("a1", NOW), null);
  assert.equal((await store.findSession("g1", NOW))?.username, "grace");
});

testOnBothStores("an interaction comes back to the letter, and is taken once", async (place) => {
  const store = await place.open();
  const one = sampleInteraction("one");
  const stateless = sampleInteraction("two", { state: null });
  await store.transaction(async ({ interactions }) => {
    await interactions.add(one, 10);
    await interactions.add(stateless, 10);
  });
  const find = (now: number) =>
    store.transaction(({ interactions }) => interactions.find(one.interactionHash, now));
  const take = (now: number, hash = one.interactionHash) =>
    store.transaction(({ interactions }) => interactions.take(hash, now));
  assert.deepEqual(await find(NOW), one);
  assert.equal(await find(one.expiresAt), null);
  assert.equal(await take(one.expiresAt), null);
  assert.deepEqual(await take(one.expiresAt - 1), one);
  assert.equal(await take(NOW), null);
  assert.equal(await find(NOW), null);
  assert.deepEqual(await take(NOW, stateless.interactionHash), stateless);
});

testOnBothStores("of too many interactions the oldest go", async (place) => {
  const store = await place.open();
  for (let index = 0; index < 7; index++) {
    const interaction = sampleInteraction(`${index}`, { createdAt: NOW + index });
    await store.transaction(({ interactions }) => interactions.add(interaction, 3));
  }
  const left = await store.transaction(async ({ interactions }) => {
    const found: boolean[] = [];
    for (let index = 0; index < 7; index++) {
      found.push((await interactions.find(`interaction-${index}`, NOW)) !== null);
    }
    return found;
  });
  assert.deepEqual(left, [false, false, false, false, true, true, true]);
});

testOnBothStores("a grant is found by its token while it lives", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const grant = sampleGrant(accountId, "one");
  await store.transaction(({ grants }) => grants.add(grant));
  assert.deepEqual(await store.findGrant(grant.tokenHash, grant.idleExpiresAt - 1), grant);
  assert.equal(await store.findGrant(grant.tokenHash, grant.idleExpiresAt), null);
  assert.equal(await store.findGrant("another", NOW), null);
  const idle = NOW + 1000 * DAY_MS;
  await store.transaction(({ grants }) => grants.touch(grant.grantId, NOW + 5, idle));
  assert.deepEqual(await store.findGrant(grant.tokenHash, grant.idleExpiresAt), {
    ...grant,
    lastUsedAt: NOW + 5,
    idleExpiresAt: idle,
  });
  assert.equal(await store.findGrant(grant.tokenHash, grant.absoluteExpiresAt), null);
  await assert.rejects(
    store.transaction(({ grants }) => grants.add({ ...grant, grantId: "grant-two" })),
    ConstraintError,
  );
});

testOnBothStores("reads do not wait for a writer", async (place) => {
  const store = await place.open();
  const [accountId, sourceId] = await prepare(store, "ada");
  const interaction = sampleInteraction("one");
  const grant = sampleGrant(accountId, "one");
  const feed = await addSource(store, accountId, "feed", { kind: "subscription" });
  const subscription = sampleSubscription(feed);
  const profile = { accountId, timeZone: "Europe/Berlin", language: null };
  await store.transaction(async ({ interactions, profiles, grants, subscriptions }) => {
    await interactions.add(interaction, 10);
    await profiles.put(profile);
    await grants.add(grant);
    await subscriptions.add(subscription);
  });
  await write(store, [accountId, sourceId], [put("event")]);
  const { reads } = store;
  const seen = await store.transaction(async ({ profiles }) => {
    await profiles.put({ ...profile, timeZone: "UTC" });
    return {
      interaction: await reads.interactions.find(interaction.interactionHash, NOW),
      profile: await reads.profiles.find(accountId),
      grants: await reads.grants.list(NOW, accountId),
      source: (await reads.sources.find(sourceId))?.kind,
      event: (await reads.events.find(accountId, "event"))?.eventId,
      subscription: await reads.subscriptions.find(feed.sourceId),
      subscriptions: await reads.subscriptions.list(accountId),
    };
  });
  assert.deepEqual(seen, {
    interaction,
    profile,
    grants: [{ ...grant, username: "ada" }],
    source: "file",
    event: "event",
    subscription,
    subscriptions: [subscription],
  });
  assert.equal((await reads.profiles.find(accountId))?.timeZone, "UTC");
});

testOnBothStores("an account's codes end with all its grants, or by themselves", async (place) => {
  const store = await place.open();
  const [ada, grace] = [await addAccount(store, "ada"), await addAccount(store, "grace")];
  const seen = await store.transaction(async ({ grants }) => {
    await grants.add(sampleGrant(ada, "hers"));
    const epochs = [await grants.codeEpoch(ada)];
    await grants.revokeCodes(ada);
    epochs.push(await grants.codeEpoch(ada));
    const revoked = await grants.revokeAll(ada);
    epochs.push(await grants.codeEpoch(ada));
    return { revoked, epochs, other: await grants.codeEpoch(grace) };
  });
  assert.deepEqual(seen, { revoked: 1, epochs: [0, 1, 2], other: 0 });
});

testOnBothStores("grants are listed newest first, and end one by one or all", async (place) => {
  const store = await place.open();
  const [ada, grace] = [await addAccount(store, "ada"), await addAccount(store, "grace")];
  await store.transaction(async ({ grants }) => {
    await grants.add(sampleGrant(ada, "old"));
    await grants.add(sampleGrant(ada, "new", { createdAt: NOW + 5 }));
    await grants.add(sampleGrant(ada, "dead", { idleExpiresAt: NOW + 1 }));
    await grants.add(sampleGrant(grace, "hers", { createdAt: NOW + 3, clientId: "other" }));
  });
  const list = async (accountId?: string) => {
    const grants = await store.transaction((records) => records.grants.list(NOW + 1, accountId));
    return grants.map(({ grantId, username }) => `${grantId} ${username}`);
  };
  assert.deepEqual(await list(), ["grant-new ada", "grant-hers grace", "grant-old ada"]);
  assert.deepEqual(await list(ada), ["grant-new ada", "grant-old ada"]);
  const ended = await store.transaction(async ({ grants }) => [
    await grants.revoke("grant-new", grace),
    await grants.revoke("grant-new", ada),
    await grants.revoke("grant-new"),
    await grants.revokeToken("hash-of-hers", "app"),
    await grants.revokeToken("hash-of-hers", "other"),
    await grants.revokeToken("hash-of-hers", "other"),
    await grants.revokeAll(ada),
    await grants.revokeAll(ada),
  ]);
  assert.deepEqual(ended, [false, true, false, false, true, false, 2, 0]);
  assert.deepEqual(await list(), []);
});

testOnBothStores("a source is one for its account, kind and name", async (place) => {
  const store = await place.open();
  const [ada, grace] = [await addAccount(store, "ada"), await addAccount(store, "grace")];
  const first = await addSource(store, ada, "school");
  const again = await addSource(store, ada, "school", { sourceId: "another", createdAt: 1 });
  assert.deepEqual(again, first);
  const later = { createdAt: NOW + 1 };
  const manual = await addSource(store, ada, "school", { kind: "manual", sourceId: "m", ...later });
  await addSource(store, grace, "school");
  const listed = await store.transaction(({ sources }) => sources.list(ada));
  assert.deepEqual(listed, [first, manual]);
  const found = await store.transaction(async ({ sources }) => [
    await sources.find(first.sourceId),
    await sources.find("another"),
  ]);
  assert.deepEqual(found, [first, null]);
});

testOnBothStores(
  "a source is removed with its subscription once its events are deleted",
  async (place) => {
    const store = await place.open();
    const accountId = await addAccount(store, "ada");
    const source = await addSource(store, accountId, "feed", { kind: "subscription" });
    const at = [accountId, source.sourceId] as const;
    await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
    await write(store, at, [put("a"), put("b"), remove("b")]);
    const removeSource = () => store.transaction(({ sources }) => sources.remove(source.sourceId));
    await assert.rejects(removeSource(), /before its events are deleted/);
    await write(store, at, [remove("a")]);
    await removeSource();
    const left = await store.transaction(async ({ sources, subscriptions }) => [
      await sources.find(source.sourceId),
      await subscriptions.find(source.sourceId),
    ]);
    assert.deepEqual(left, [null, null]);
    // Apps still learn of the deletions, and the ids can come back from a new source.
    assert.equal(eventsOf(await store.events.listChanges(accountId, 0, 10, true)).length, 2);
    const next = await addSource(store, accountId, "feed", { kind: "file", sourceId: "next" });
    assert.deepEqual(await write(store, [accountId, next.sourceId], [put("a")]), { taken: [] });
  },
);

testOnBothStores("a subscription is one for its account and address", async (place) => {
  const store = await place.open();
  const [ada, grace] = [await addAccount(store, "ada"), await addAccount(store, "grace")];
  const [first, second, hers] = [
    sampleSubscription(await addSource(store, ada, "one", { kind: "subscription" })),
    sampleSubscription(await addSource(store, ada, "two", { kind: "subscription" })),
    sampleSubscription(await addSource(store, grace, "one", { kind: "subscription" })),
  ];
  const added = await store.transaction(async ({ subscriptions }) => [
    await subscriptions.add({ ...first, createdAt: NOW + 1 }),
    await subscriptions.add({ ...second, urlHash: first.urlHash }),
    await subscriptions.add({ ...hers, createdAt: NOW + 2 }),
    await subscriptions.add(second),
  ]);
  assert.deepEqual(added, [true, false, true, true]);
  const changed = {
    ...first,
    createdAt: NOW + 1,
    name: "Renamed",
    defaultType: "exam",
    rules: [{ words: ["\u0000 odd \ud800"], type: "test" }],
    etag: '"1"',
    lastModified: "Fri, 21 Aug 2026 00:00:00 GMT",
    lastFetchedAt: NOW,
    lastSucceededAt: NOW,
    lastError: "timeout",
    warning: "shrunk",
    nextFetchAt: NOW + 1,
    failures: 2,
    entryCount: 7,
    report: '{"added":7}',
  };
  const unchangeable = { sealedUrl: "x", urlHash: "x", accountId: grace, createdAt: 0 };
  const result = await store.transaction(async ({ subscriptions }) => {
    await subscriptions.update({ ...changed, ...unchangeable });
    return {
      found: await subscriptions.find(first.sourceId),
      of: await subscriptions.list(ada),
      all: await subscriptions.list(),
    };
  });
  assert.deepEqual(result.found, changed);
  assert.deepEqual(result.of, [second, changed]);
  assert.deepEqual(result.all, [second, changed, { ...hers, createdAt: NOW + 2 }]);
});

testOnBothStores(
  "due subscriptions are claimed, longest due first, until they are due again",
  async (place) => {
    const store = await place.open();
    const accountId = await addAccount(store, "ada");
    for (const [name, nextFetchAt] of [
      ["b", NOW - 5],
      ["a", NOW],
      ["c", NOW - 9],
      ["later", NOW + 1],
    ] as const) {
      const source = await addSource(store, accountId, name, { kind: "subscription" });
      await store.transaction(({ subscriptions }) =>
        subscriptions.add(sampleSubscription(source, { nextFetchAt })),
      );
    }
    const claim = async (now: number, limit: number) => {
      const due = await store.transaction(({ subscriptions }) =>
        subscriptions.claimDue(now, NOW + 100, limit),
      );
      for (const { nextFetchAt } of due) assert.equal(nextFetchAt, NOW + 100);
      return due.map(({ name }) => name);
    };
    assert.deepEqual(await claim(NOW, 2), ["c", "b"]);
    assert.deepEqual(await claim(NOW, 2), ["a"]);
    assert.deepEqual(await claim(NOW, 2), []);
    assert.deepEqual((await claim(NOW + 100, 9)).sort(), ["a", "b", "c", "later"]);
  },
);

testOnBothStores("requests are counted up to the limit of the window", async (place) => {
  const store = await place.open();
  const take = (subject: string, windowStart: number, wanted: number, limit = 10) =>
    store.transaction(({ rateLimitCounters }) =>
      rateLimitCounters.take(
        subject,
        { start: windowStart, end: windowStart + 60_000 },
        wanted,
        limit,
      ),
    );
  const taken: number[] = [];
  for (const wanted of [1, 4, 4, 4, 4, 1]) taken.push(await take("a", NOW, wanted));
  assert.deepEqual(taken, [1, 4, 4, 1, 0, 0]);
  assert.equal(await take("a", NOW + 1, 4), 4);
  assert.equal(await take("b", NOW, 40), 10);
  assert.equal(await take("b", NOW, 1), 0);
});

testOnBothStores("prune removes expired records only", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const [accountId] = at;
  const end = NOW + 1000;
  await store.transaction(
    async ({ sessions, grants, interactions, rateLimitCounters, identity }) => {
      await sessions.open(sampleSession(accountId, "idle", { idleExpiresAt: end }));
      await sessions.open(sampleSession(accountId, "absolute", { absoluteExpiresAt: end }));
      await sessions.open(sampleSession(accountId, "alive", { idleExpiresAt: end + 1 }));
      await grants.add(sampleGrant(accountId, "idle", { idleExpiresAt: end }));
      await grants.add(sampleGrant(accountId, "absolute", { absoluteExpiresAt: end }));
      await grants.add(sampleGrant(accountId, "alive", { idleExpiresAt: end + 1 }));
      await interactions.add(sampleInteraction("over", { expiresAt: end }), 10);
      await interactions.add(sampleInteraction("alive", { expiresAt: end + 1 }), 10);
      await rateLimitCounters.take("over", { start: NOW, end }, 5, 5);
      await rateLimitCounters.take("alive", { start: NOW, end: end + 1 }, 5, 5);
      const secret = { purpose: "code", bound: "", expiresAt: NOW };
      await identity.addSecret({ ...secret, hash: "over", keepUntil: end });
      await identity.addSecret({ ...secret, hash: "alive", keepUntil: end + 1 });
      await identity.writeFailure("over", {
        failures: 1,
        lastFailureAt: end - 30 * DAY_MS,
        blockedUntil: 0,
      });
    },
  );
  const count = async () => {
    const tables = {
      events_sessions: "session_hash",
      events_grants: "grant_id",
      events_interactions: "interaction_hash",
      identity_hits: "subject",
      identity_secrets: "secret_hash",
      identity_failures: "subject",
    };
    const left: string[][] = [];
    for (const [table, column] of Object.entries(tables)) {
      const rows = await store.database.query(`SELECT ${column} AS name FROM ${table}`);
      left.push(rows.map((row) => String(row["name"])).sort());
    }
    return left;
  };
  await store.prune(end);
  assert.deepEqual(await count(), [
    ["alive"],
    ["grant-alive"],
    ["interaction-alive"],
    ["alive"],
    ["alive"],
    [],
  ]);
});

testOnBothStores("tombstones have their time, also very many of them", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const many = Array.from({ length: 1203 }, (_, index) => `event-${index}`);
  await write(
    store,
    at,
    many.map((id) => put(id)),
  );
  await write(store, at, many.slice(3).map(remove), NOW);
  await write(store, at, [remove("event-0")], NOW + 1);
  const over = NOW + TOMBSTONE_LIFETIME_SECONDS * 1000;
  const count = async () => eventsOf(await store.events.listChanges(at[0], 0, 5000, true)).length;
  await store.prune(over - 1);
  assert.equal(await count(), 1203);
  await store.prune(over);
  assert.equal(await count(), 3);
  await store.prune(over + 1);
  assert.equal(await count(), 2);
  // An id whose tombstone was pruned is new.
  await write(store, at, [put("event-7")], NOW);
  const event = await store.transaction(({ events }) => events.find(at[0], "event-7"));
  assert.ok((event?.updatedAt ?? 0) > NOW + 2400);
});

testOnBothStores("a closed store throws, and an open one responds", async (place) => {
  const store = await place.open();
  await store.ping();
  const at = await prepare(store);
  await write(store, at, [put("a")]);
  await store.close();
  await assert.rejects(store.ping(), { name: "StorageUnavailableError" });
  const again = await place.open();
  assert.equal(eventsOf(await again.events.listAll(at[0], NOW, 5)).length, 1);
  await assert.rejects(
    again.transaction(({ sources }) => sources.findOrAdd(sampleSource("nobody", "x"))),
    ConstraintError,
  );
});
