import assert from "node:assert/strict";
import type { DeviceSession, SyncStore } from "../../src/sync/store.ts";
import { NOW, sampleSession } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

/** Opens a session with one access token. */
async function signIn(
  store: SyncStore,
  session: DeviceSession,
  hash: string,
  expiresAt = NOW + 300_000,
): Promise<void> {
  await store.transaction(async ({ sessions }) => {
    await sessions.open(session);
    await sessions.addAccess(session.family, { hash, expiresAt });
  });
}

export const DEVICE_SESSION_CASES: StoreCases = {
  "a session is found by its family, and by each of its tokens": async ({ store }) => {
    const session = sampleSession("phone");
    await signIn(store, session, "first");
    await store.transaction(({ sessions }) =>
      sessions.addAccess(session.family, { hash: "second", expiresAt: NOW + 400_000 }),
    );
    await store.transaction(async ({ sessions }) => {
      assert.deepEqual(await sessions.find(session.family), session);
      assert.equal(await sessions.find("unknown"), null);
    });
    const accessExpiresAt = NOW + 300_000;
    assert.deepEqual(await store.findAccess("first", NOW), { session, accessExpiresAt });
    const second = { session, accessExpiresAt: NOW + 400_000 };
    assert.deepEqual(await store.findAccess("second", NOW), second);
    assert.equal(await store.findAccess("third", NOW), null);
  },
  "a renewed session has its new counter and times, and keeps its tokens": async ({ store }) => {
    const session = sampleSession("phone");
    await signIn(store, session, "token");
    const renewed = {
      ...session,
      counter: 7,
      refreshHash: "hash",
      rotatedAt: NOW + 10,
      lastUsedAt: NOW + 20,
      idleExpiresAt: session.idleExpiresAt + 30,
    };
    await store.transaction(({ sessions }) => sessions.renew(renewed));
    assert.deepEqual((await store.findAccess("token", NOW))?.session, renewed);
  },
  "a device has one session: a new one replaces the previous one and its tokens": async ({
    store,
  }) => {
    await signIn(store, sampleSession("phone"), "old");
    await signIn(store, sampleSession("tablet"), "other");
    await signIn(store, sampleSession("phone", { family: "newer" }), "new");
    assert.equal(await store.findAccess("old", NOW), null);
    assert.equal((await store.findAccess("new", NOW))?.session.family, "newer");
    assert.equal((await store.findAccess("other", NOW))?.session.deviceId, "tablet");
    await store.transaction(async ({ sessions }) => {
      assert.equal(await sessions.find("family-of-phone"), null);
      assert.equal((await sessions.list(NOW)).length, 2);
    });
  },
  "a revoked session and its tokens are invalid at once": async ({ store }) => {
    for (const device of ["a", "b", "c", "d"]) await signIn(store, sampleSession(device), device);
    for (const device of ["a", "b", "c", "d"]) {
      assert.notEqual(await store.findAccess(device, NOW), null);
    }
    const revoke = store.transaction.bind(store);
    assert.equal(await revoke(({ sessions }) => sessions.revokeFamily("family-of-a")), true);
    assert.equal(await store.findAccess("a", NOW), null);
    assert.equal(await revoke(({ sessions }) => sessions.revokeFamily("family-of-a")), false);
    assert.equal(await revoke(({ sessions }) => sessions.revokeDevice("b")), true);
    assert.equal(await store.findAccess("b", NOW), null);
    assert.equal(await revoke(({ sessions }) => sessions.revokeDevice("b")), false);
    assert.notEqual(await store.findAccess("c", NOW), null);
    assert.equal(await revoke(({ sessions }) => sessions.revokeAll()), 2);
    assert.equal(await store.findAccess("c", NOW), null);
    assert.equal(await store.findAccess("d", NOW), null);
    assert.equal(await revoke(({ sessions }) => sessions.revokeAll()), 0);
  },
  "an access token expires exactly at its time, or with its session": async ({ store }) => {
    await signIn(store, sampleSession("phone"), "short", NOW + 1000);
    assert.notEqual(await store.findAccess("short", NOW + 999), null);
    assert.equal(await store.findAccess("short", NOW + 1000), null);
    const ends = { idleExpiresAt: NOW + 500, absoluteExpiresAt: NOW + 2000 };
    await signIn(store, sampleSession("idle", ends), "idle", NOW + 9000);
    assert.notEqual(await store.findAccess("idle", NOW + 499), null);
    assert.equal(await store.findAccess("idle", NOW + 500), null);
    const absolute = { idleExpiresAt: NOW + 2000, absoluteExpiresAt: NOW + 700 };
    await signIn(store, sampleSession("old", absolute), "old", NOW + 9000);
    assert.notEqual(await store.findAccess("old", NOW + 699), null);
    assert.equal(await store.findAccess("old", NOW + 700), null);
  },
  "live sessions are listed, newest sign-in first": async ({ store }) => {
    const sessions = [
      sampleSession("newest", { createdAt: NOW + 3, idleExpiresAt: NOW + 100 }),
      sampleSession("middle", { createdAt: NOW + 2, absoluteExpiresAt: NOW + 200 }),
      sampleSession("oldest", { createdAt: NOW + 1 }),
    ];
    for (const index of [1, 2, 0]) await signIn(store, sessions[index]!, `token-${index}`);
    const list = (now: number) => store.transaction((records) => records.sessions.list(now));
    const listed = sessions.map((session) => ({ ...session, name: null }));
    assert.deepEqual(await list(NOW + 99), listed);
    assert.deepEqual(await list(NOW + 100), listed.slice(1));
    assert.deepEqual(await list(NOW + 200), listed.slice(2));
  },
};
