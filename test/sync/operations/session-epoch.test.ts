import assert from "node:assert/strict";
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EMPTY_LOG_CLOCK } from "../../../src/rules/sync/log-clock.ts";
import { openHighWaterFile } from "../../../src/sync/sql/high-water.ts";
import { readHead } from "../../../src/sync/sql/log-head.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { NOW, sampleSession } from "../../../store-contract/samples.ts";
import { authorize, beginSignIn, postJson, signIn } from "../sync-client.ts";
import { redeem, signInOptions, startSyncService } from "../service/sync-service.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";
import { copyDatabaseFile, putDatabaseFileBack } from "../../database/put-file-back.ts";

const listDevices = async (store: SqlSyncStore) => {
  const sessions = await store.transaction((records) => records.sessions.list(NOW));
  return sessions.map(({ deviceId }) => deviceId).sort();
};

async function openSessions(store: SqlSyncStore, ...devices: string[]): Promise<void> {
  await store.transaction(async ({ sessions }) => {
    for (const device of devices) await sessions.open(sampleSession(device));
  });
}

const REVOCATIONS: Readonly<Record<string, (store: SqlSyncStore) => Promise<unknown>>> = {
  "one device": (store) => store.transaction(({ sessions }) => sessions.revokeDevice("phone")),
  "one session": (store) =>
    store.transaction(({ sessions }) => sessions.revokeFamily("family-of-phone")),
  "every device": (store) => store.transaction(({ sessions }) => sessions.revokeAll()),
  "a session that a new sign-in replaced": (store) =>
    store.transaction(({ sessions }) => sessions.open(sampleSession("phone", { family: "new" }))),
};

for (const [what, revoke] of Object.entries(REVOCATIONS)) {
  test(`a database file that is rolled back does not revive ${what}`, async (t) => {
    const place = await createPlace(t, "SQLite");
    const store = await place.open();
    await openSessions(store, "phone", "laptop");
    await store.close();
    const copy = await copyDatabaseFile(place);
    const later = await place.open();
    assert.equal(later.sessionsWereRevoked, false);
    await revoke(later);
    await later.close();
    await putDatabaseFileBack(place, copy);
    const revived = await place.open();
    assert.equal(revived.sessionsWereRevoked, true);
    assert.deepEqual(await listDevices(revived), []);
    await openSessions(revived, "phone");
    await revived.close();
    // Once: the next start finds a store that is as new as the file.
    const again = await place.open();
    assert.equal(again.sessionsWereRevoked, false);
    assert.deepEqual(await listDevices(again), ["phone"]);
    await again.close();
    await putDatabaseFileBack(place, copy);
    assert.equal((await place.open()).sessionsWereRevoked, true);
  });
}

test("a copy that lost no revocation keeps its sessions", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await openSessions(store, "phone");
  await store.close();
  const copy = await copyDatabaseFile(place);
  const later = await place.open();
  await openSessions(later, "laptop");
  await later.close();
  await putDatabaseFileBack(place, copy);
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, false);
  assert.deepEqual(await listDevices(found), ["phone"]);
});

test("tokens, codes and sign-ins of a copy that lost a revocation are refused", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const first = await startSyncService(store);
  const { accessToken, refreshToken } = await signIn(first.ask, signInOptions());
  const { code } = await authorize(first.ask, signInOptions({ deviceId: "laptop" }), "attempt-1");
  const begun = await beginSignIn(first.ask, signInOptions());
  assert.ok(begun.kind === "challenged");
  await store.close();
  const copy = await copyDatabaseFile(place);
  const later = await place.open();
  await (await startSyncService(later)).administration.revokeAllDevices();
  await later.close();
  await putDatabaseFileBack(place, copy);
  const { ask } = await startSyncService(await place.open());
  const headers = { Authorization: `Bearer ${accessToken}` };
  assert.equal((await ask("/v1/device", { headers })).status, 401);
  const refreshed = await postJson(ask, "/v1/refresh", {
    grantType: "refresh_token",
    refreshToken,
  });
  assert.equal(refreshed.status, 401);
  assert.equal((await redeem(ask, code, "attempt-1")).status, 400);
  await signIn(ask, signInOptions());
});

testOnBothStores("a database behind its high-water file revokes every device", async (place) => {
  const store = await place.open();
  await openSessions(store, "phone");
  await store.transaction(({ sessions }) => sessions.revokeAll());
  await openSessions(store, "laptop");
  await store.database.transaction((tx) =>
    tx.query("UPDATE identity_session_epochs SET epoch = epoch - 1"),
  );
  await store.close();
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, true);
  assert.deepEqual(await listDevices(found), []);
});

test("processes that share the file do not set the session epoch back", async (t) => {
  const place = await createPlace(t, "SQLite");
  const [one, two] = [await place.open(), await place.open()];
  await openSessions(one, "phone", "laptop");
  await one.transaction(({ sessions }) => sessions.revokeDevice("phone"));
  await two.transaction(({ sessions }) => sessions.revokeDevice("laptop"));
  assert.equal(one.highWater.readSessionEpoch(), 2);
  one.highWater.writeSessionEpoch(1);
  one.highWater.write(await readHead(one.database));
  assert.equal(two.highWater.readSessionEpoch(), 2);
  assert.deepEqual(two.highWater.read()?.generation, (await two.operations.head()).generation);
});

test("a revocation that fails moves no epoch", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await openSessions(store, "phone");
  const failing = store.transaction(async ({ sessions }) => {
    await sessions.revokeAll();
    throw new Error("It fails");
  });
  await assert.rejects(failing, /It fails/);
  assert.equal(store.highWater.readSessionEpoch(), 0);
  await store.close();
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, false);
  assert.deepEqual(await listDevices(found), ["phone"]);
});

test("a file without a session epoch, or with a broken one, is as if it had none", async (t) => {
  const place = await createPlace(t, "SQLite");
  const path = join(place.folder, "mark");
  const file = openHighWaterFile(path);
  const mark = { generation: "g", headOffset: 7, clock: EMPTY_LOG_CLOCK };
  file.write(mark);
  assert.equal(file.readSessionEpoch(), null);
  file.writeSessionEpoch(3);
  assert.equal(file.readSessionEpoch(), 3);
  assert.deepEqual(file.read(), mark);
  file.close();
  const whole = await readFile(path, "utf8");
  await truncate(path, whole.length / 2);
  assert.equal(openHighWaterFile(path).readSessionEpoch(), null);
  await appendFile(path, "{broken\n");
  assert.equal(openHighWaterFile(path).readSessionEpoch(), null);
  assert.equal(openHighWaterFile(path).read()?.headOffset, 7);
  // A version before 0.2.0 wrote no clock.
  await writeFile(path, '{"generation":"g","headOffset":9}\n');
  assert.equal(openHighWaterFile(path).read(), null);
});
