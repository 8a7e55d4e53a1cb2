import assert from "node:assert/strict";
import { type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { hashSecret } from "../../../src/identity/one-time-secrets.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { testOnBothStores, type SyncPlace } from "../operations/on-both-stores.ts";
import { openChanges, type ReadStream } from "../read-changes.ts";
import { postJson, type Ask } from "../sync-client.ts";
import { accessTokenOf, START, startSyncService } from "./sync-service.ts";

/** A change of another process is noticed in 250 ms; the rest is for a machine with much to do. */
const NOTICED_MS = 1000;
const DAY_MS = 86_400_000;

testOnBothStores("a stream tells the head when it opens and after each push", async (place, t) => {
  const { ask, token } = await start(place, t);
  const stream = await openChanges(ask, token);
  t.after(() => stream.close());
  assert.deepEqual(
    ["content-type", "cache-control", "x-accel-buffering"].map((name) =>
      stream.response.headers.get(name),
    ),
    ["text/event-stream; charset=utf-8", "no-store", "no"],
  );
  assert.equal(await stream.head(), await pullCursor(ask, token));
  for (const sequence of [1, 2, 3]) {
    await push(ask, token, sequence);
    assert.equal(await stream.head(NOTICED_MS), await pullCursor(ask, token));
  }
  await push(ask, token, 3);
  await wait(300);
  assert.equal(stream.text().match(/event: head/g)?.length, 4, "a duplicate moves no head");
});

testOnBothStores("a push of another process is told of", async (place, t) => {
  const { ask, token } = await start(place, t);
  const other = await start(place, t);
  const stream = await openChanges(ask, token);
  t.after(() => stream.close());
  await stream.head();
  for (const sequence of [1, 2]) {
    await push(other.ask, token, sequence);
    assert.equal(await stream.head(NOTICED_MS), await pullCursor(other.ask, token));
  }
});

testOnBothStores("a stream ends within a second of the end of its session", async (place, t) => {
  const { ask, store, token, clock } = await start(place, t);
  const other = await start(place, t);
  const ends: Readonly<Record<string, (token: string, deviceId: string) => Promise<unknown>>> = {
    "by itself": (own) => asDevice(ask, own, "/v1/device", "DELETE"),
    "by another process": (own) => asDevice(other.ask, own, "/v1/device", "DELETE"),
    "by the operator": (_, deviceId) => other.administration.revokeDevice(deviceId),
    "by a new sign-in": (_, deviceId) => addSession(other.store, deviceId, "another-family"),
    "by its expiry": async (own) => {
      await other.store.database.transaction((tx) =>
        tx.query(
          "UPDATE sync_sessions SET idle_expires_at = $1 WHERE family IN (SELECT family FROM sync_access_tokens WHERE token_hash = $2)",
          [clock.now, hashSecret(own)],
        ),
      );
    },
  };
  const kept = await openChanges(ask, token);
  t.after(() => kept.close());
  for (const [how, end] of Object.entries(ends)) {
    const deviceId = how.replaceAll(" ", "-");
    const own = await addSession(store, deviceId);
    const stream = await openChanges(ask, own);
    await stream.head();
    await end(own, deviceId);
    // An expiry changes nothing in the store: it is looked for once a second.
    await stream.ended(how === "by its expiry" ? 2 * NOTICED_MS : NOTICED_MS);
  }
  await push(ask, token, 1);
  await kept.head();
  await kept.head(NOTICED_MS);
  await other.administration.revokeAllDevices();
  await kept.ended(NOTICED_MS);
});

testOnBothStores(
  "a device has at most four streams, in all processes together",
  async (place, t) => {
    const { ask, token, store } = await start(place, t);
    const other = await start(place, t);
    const open: ReadStream[] = [];
    for (const at of [ask, other.ask, ask, other.ask]) open.push(await openChanges(at, token));
    t.after(() => Promise.all(open.map((stream) => stream.close())));
    for (const at of [ask, other.ask]) {
      const refused = await asDevice(at, token, "/v1/changes");
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get("retry-after"), "30");
      const { error, message } = (await refused.json()) as Record<string, string>;
      assert.equal(error, "rate_limited");
      assert.match(message ?? "", /a device may have 4/);
    }
    const watch = await openChanges(ask, await addSession(store, "watch"));
    await watch.close();
    await open[1]?.close();
    const next = await untilOpened(() => openChanges(ask, token));
    assert.equal(await next.head(), await pullCursor(ask, token));
    await next.close();
  },
);

testOnBothStores("a stop ends all streams and opens no other", async (place, t) => {
  const { ask, token, service, store } = await start(place, t);
  const streams = await Promise.all([1, 2, 3].map(() => openChanges(ask, token)));
  service.endStreams();
  for (const stream of streams) await stream.ended(1000);
  const refused = await asDevice(ask, token, "/v1/changes");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "5");
  const count = () => store.database.query("SELECT stream_id FROM sync_streams");
  for (let turn = 0; turn < 100 && (await count()).length > 0; turn++) await wait(10);
  assert.deepEqual(await count(), [], "the store counts none of them any more");
});

testOnBothStores("HEAD opens no stream, and other requests are refused", async (place, t) => {
  const { ask, token, store } = await start(place, t);
  const head = await asDevice(ask, token, "/v1/changes", "HEAD");
  assert.deepEqual(
    [head.status, head.headers.get("content-type"), head.body],
    [200, "text/event-stream; charset=utf-8", null],
  );
  assert.deepEqual(await store.database.query("SELECT stream_id FROM sync_streams"), []);
  const statusOf = async (path: string, method: string, at = token) =>
    (await asDevice(ask, at, path, method)).status;
  assert.equal(await statusOf("/v1/changes", "POST"), 405);
  assert.equal(await statusOf("/v1/changes?cursor=x", "GET"), 400);
  assert.equal(await statusOf("/v1/changes", "GET", "trs_at_none"), 401);
  assert.equal(await statusOf("/v1/changes", "HEAD", "trs_at_none"), 401);
});

testOnBothStores("a stream without a reader keeps the newest head alone", async (place, t) => {
  const { ask, token } = await start(place, t);
  const response = await asDevice(ask, token, "/v1/changes");
  const reader = response.body?.getReader();
  t.after(() => reader?.cancel());
  for (let sequence = 1; sequence <= 20; sequence++) await push(ask, token, sequence);
  await wait(200);
  const chunk = Buffer.from((await reader?.read())?.value ?? []).toString();
  const cursor = await pullCursor(ask, token);
  assert.equal(chunk, `event: head\ndata: {"cursor":"${cursor}"}\n\n`);
});

async function start(place: SyncPlace, t: TestContext) {
  const store = await place.open();
  const running = await startSyncService(store, { profile: "open" });
  t.after(() => running.service.endStreams());
  return { ...running, store, token: await tokenOfPhone(store) };
}

/** Of a device that all services of a place share. */
async function tokenOfPhone(store: SqlSyncStore): Promise<string> {
  const families = await store.listFamilies(START);
  return families.length === 0 ? addSession(store, "phone") : accessTokenOf("phone");
}

/** Signs a device in without a password, and returns its access token. */
async function addSession(
  store: SqlSyncStore,
  deviceId: string,
  family = `family-of-${deviceId}`,
): Promise<string> {
  const token = accessTokenOf(deviceId);
  await store.transaction(async ({ sessions }) => {
    await sessions.open({
      family,
      deviceId,
      counter: 0,
      refreshHash: "hash",
      createdAt: START,
      rotatedAt: START,
      lastUsedAt: START,
      idleExpiresAt: START + DAY_MS,
      absoluteExpiresAt: START + DAY_MS,
    });
    const hash = hashSecret(family.startsWith("family-of-") ? token : family);
    await sessions.addAccess(family, { hash, expiresAt: START + DAY_MS });
  });
  return token;
}

function asDevice(ask: Ask, token: string, path: string, method = "GET"): Promise<Response> {
  return ask(path, { method, headers: { Authorization: `Bearer ${token}` } });
}

async function push(ask: Ask, token: string, sequence: number): Promise<void> {
  const operation = createOperation({ sequence, entityId: "note/1", payload: { sequence } });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await postJson(ask, "/v1/push", { operations: [operation] }, headers);
  assert.equal(response.status, 200, await response.text());
}

/** Of the head. */
async function pullCursor(ask: Ask, token: string): Promise<string> {
  const page = await asDevice(ask, token, "/v1/pull?limit=500");
  return ((await page.json()) as { cursor: string }).cursor;
}

/** The store learns of a closed stream a moment later. */
async function untilOpened<T>(open: () => Promise<T>): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await open();
    } catch (error) {
      if (attempts === 50) throw error;
      await wait(20);
    }
  }
}
