/** The events client and the events service, over a real listener and a real store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  importEvents,
  type EventsSyncResult,
  type EventsSyncState,
} from "../../../src/client/index.ts";
import type { EventChange } from "../../../src/events/store.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { MINUTE_MS, OLIVE, PIET } from "../../events/service/events-instance.ts";
import { put, remove } from "../../events/store/samples.ts";
import { printWhole } from "./connect.ts";
import { allow, createWorld, deny, type World } from "./world.ts";

async function connect(world: World, person = OLIVE): Promise<string> {
  const begun = await world.client.beginLogin();
  assert.ok(begun.kind === "begun");
  const callback = await allow(world, begun.authorizeUrl, person);
  const login = await world.client.completeLogin(callback, begun.pending);
  assert.ok(login.kind === "connected", printWhole(login));
  return login.accessToken;
}

function numbered(from: number, to: number): EventChange[] {
  return Array.from({ length: to - from }, (_, index) => put(`e${from + index}`));
}

test("a person connects, the events come, and they become habits", async (t) => {
  const world = await createWorld(t, { accounts: [OLIVE, PIET] });
  await world.write([
    put("exam", "2026-09-02", { type: "Klausur", title: null, subjectName: "Physik" }),
    put("lesson", "2026-09-01", { type: "info" }),
    put("timed", "2026-09-01T00:30:00+02:00", { title: "  " }),
    put("undated", null),
    put("gone"),
    remove("gone"),
  ]);
  await world.write([put("of-piet")], PIET.username);
  const sync = await world.client.syncEvents({ accessToken: await connect(world), state: null });
  assert.equal(sync.kind === "synced" && sync.isWhole, true);
  // A full list has no deletions: what is not in it is gone.
  assert.deepEqual(sync.deletedIds, []);
  assert.deepEqual(sync.unreadable, []);
  const toLocalDate = () => "2026-08-31";
  assert.deepEqual(importEvents(sync.events, [], { serviceName: "My planner", toLocalDate }), {
    imported: [
      {
        name: "Maths",
        icon: "homework",
        category: "Maths",
        source: { eventId: "timed", occursOn: "2026-08-31" },
      },
      {
        name: "Physik",
        icon: "exam",
        category: "Physik",
        source: { eventId: "exam", occursOn: "2026-09-02" },
      },
    ],
    skipped: [
      { id: "undated", reason: "missing-date" },
      { id: "lesson", reason: "info" },
    ],
  });
});

test("a person who denies is not connected", async (t) => {
  const world = await createWorld(t);
  const begun = await world.client.beginLogin();
  assert.ok(begun.kind === "begun");
  const callback = await deny(world, begun.authorizeUrl);
  assert.deepEqual(await world.client.completeLogin(callback, begun.pending), {
    kind: "not-connected",
    error: { kind: "login-refused", code: "access_denied" },
  });
});

test("a code works once, and only with the verifier of its login", async (t) => {
  const world = await createWorld(t);
  const begun = await world.client.beginLogin();
  assert.ok(begun.kind === "begun");
  const callback = await allow(world, begun.authorizeUrl);
  const stolen = { ...begun.pending, codeVerifier: "x".repeat(43) };
  for (const pending of [stolen, begun.pending]) {
    assert.deepEqual(await world.client.completeLogin(callback, pending), {
      kind: "not-connected",
      error: { kind: "http-status", status: 400 },
    });
  }
});

test("a grant that is ended means connecting again", async (t) => {
  const world = await createWorld(t);
  const accessToken = await connect(world);
  const { store, accountIds } = world.instance;
  await store.transaction(({ grants }) => grants.revokeAll(accountIds.get(OLIVE.username) ?? ""));
  const sync = await world.client.syncEvents({ accessToken, state: null });
  assert.equal(sync.kind, "reconnect-needed");
  assert.ok(!printWhole(sync).includes(accessToken));
});

test("a sync that is limited half way says when to go on, and goes on there", async (t) => {
  const limits = { events: { requests: 3, windowSeconds: 60 } };
  const world = await createWorld(t, { limits });
  await world.write(numbered(0, 1750));
  const accessToken = await connect(world);
  const first = await world.client.syncEvents({ accessToken, state: null });
  assert.equal(first.kind, "failed");
  // What is coming comes first, then two pages of changes.
  assert.ok(first.events.length >= 1000);
  const error = first.kind === "failed" ? first.error : null;
  assert.ok(error?.kind === "rate-limited" && error.retryAfterSeconds !== null);
  world.instance.clock.now += error.retryAfterSeconds * 1000;
  const second = await world.client.syncEvents({ accessToken, state: first.state });
  assert.equal(second.kind, "synced");
  assert.equal(second.events.length, 750);
  assert.equal(new Set([...first.events, ...second.events].map(({ id }) => id)).size, 1750);
});

/** Puts, edits and deletions of a person who does not wait for the app. */
function createWriter(world: World, seed: number) {
  const random = createSeededRandom(seed);
  const titles = new Map<string, string>();
  let count = 0;
  const change = (): EventChange => {
    const eventId = `e${random.below(1400)}`;
    if (titles.has(eventId) && random.below(4) === 0) {
      titles.delete(eventId);
      return remove(eventId);
    }
    const title = `version ${count++}`;
    titles.set(eventId, title);
    return put(eventId, "2026-09-01", { title });
  };
  return {
    titles,
    write: async (changes: number) => {
      world.instance.clock.now += random.below(10 * MINUTE_MS);
      await world.write(Array.from({ length: changes }, change));
    },
  };
}

function takeOver(titles: Map<string, string>, sync: EventsSyncResult) {
  for (const { id, title } of sync.events) titles.set(id, title ?? "");
  for (const id of sync.deletedIds) titles.delete(id);
}

for (const seed of [1, 2, 3]) {
  test(`what changes before and between pages arrives, deletions too (seed ${seed})`, async (t) => {
    const world = await createWorld(t);
    const accessToken = await connect(world);
    const writer = createWriter(world, seed);
    const titles = new Map<string, string>();
    let state: EventsSyncState | null = null;
    for (const [before, between] of [
      [1100, 300],
      [3, 0],
      [700, 20],
      [0, 1],
      [0, 0],
    ] as const) {
      await writer.write(before);
      let pages = 0;
      world.meanwhile = () => (pages++ < 3 ? writer.write(between) : Promise.resolve());
      const sync: EventsSyncResult = await world.client.syncEvents({ accessToken, state });
      assert.equal(sync.kind, "synced");
      takeOver(titles, sync);
      ({ state } = sync);
    }
    assert.deepEqual(new Map([...titles].sort()), new Map([...writer.titles].sort()));
  });
}
