/** What tells of a rollback, and that each is noted once, by whichever process and device. */
import assert from "node:assert/strict";
import type { SecurityEvent } from "../../../src/identity/security-event.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { startSyncService, signInOptions, type SyncTestService } from "../service/sync-service.ts";
import { postJson, signIn, type Ask } from "../sync-client.ts";
import { pushTo } from "./device.ts";
import { testOnBothStores, type SyncPlace } from "./on-both-stores.ts";
import { copyEverything } from "./put-tables-back.ts";

const MINUTE_MS = 60_000;

/** Two processes on one store, and the security events that they report. */
async function startTwo(place: SyncPlace) {
  const events: SecurityEvent["kind"][] = [];
  const start = async () => {
    const store = await place.open();
    const service = await startSyncService(store, {
      onNotice(notice) {
        if (notice.kind === "security-event") events.push(notice.event.kind);
      },
    });
    return { ...service, store };
  };
  const [one, two] = [await start(), await start()];
  const wait = (ms: number) => {
    for (const { clock } of [one, two]) clock.now += ms;
  };
  return { one, two, wait, events: () => events.filter((kind) => kind !== "new-device") };
}

let sequence = 0;

async function push(store: SqlSyncStore, count: number): Promise<string> {
  const operations = Array.from({ length: count }, () =>
    createOperation({ sequence: ++sequence, entityId: `note/${sequence}` }),
  );
  return (await pushTo(store, operations)).receipts.at(-1)?.cursor ?? "";
}

async function pull(ask: Ask, accessToken: string, cursor: string): Promise<string> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const response = await ask(`/v1/pull?cursor=${cursor}`, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as { recoveryReason: string }).recoveryReason;
}

async function refresh({ ask }: SyncTestService, refreshToken: string) {
  const response = await postJson(ask, "/v1/refresh", {
    grantType: "refresh_token",
    refreshToken,
  });
  const body = (await response.json()) as { refreshToken: string; error?: string };
  return { status: response.status, ...body };
}

async function readCount({ store }: { store: SqlSyncStore }): Promise<number> {
  const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
  return counts.find(({ kind }) => kind === "store-rolled-back")?.total ?? 0;
}

testOnBothStores("cursors of one lost history are noted as one rollback", async (place) => {
  const { one, two, events } = await startTwo(place);
  const { accessToken } = await signIn(one.ask, signInOptions());
  await push(one.store, 2);
  const rollBack = await copyEverything(one.store, place);
  const lost = [await push(one.store, 1), await push(two.store, 3), await push(one.store, 1)];
  await rollBack();
  await push(two.store, 4);
  for (const { ask } of [one, two, one, two]) {
    for (const cursor of lost) assert.notEqual(await pull(ask, accessToken, cursor), "none");
  }
  assert.deepEqual(events(), ["store-rolled-back"]);
  assert.equal(await readCount(two), 1);

  // A second one, whose copy was made after the first had been noted.
  await push(one.store, 1);
  const rollBackAgain = await copyEverything(one.store, place);
  const lostAgain = [await push(two.store, 2), await push(one.store, 2)];
  await rollBackAgain();
  await push(one.store, 9);
  for (const { ask } of [two, one]) {
    for (const cursor of [...lost, ...lostAgain, ...lost]) {
      assert.equal(await pull(ask, accessToken, cursor), "generation_changed");
    }
  }
  assert.deepEqual(events(), ["store-rolled-back", "store-rolled-back"]);
  assert.equal(await readCount(one), 2);
});

testOnBothStores("of many pulls at once, one notes the rollback", async (place) => {
  const { one, two, events } = await startTwo(place);
  const { accessToken } = await signIn(one.ask, signInOptions());
  const rollBack = await copyEverything(one.store, place);
  const lost = await push(one.store, 1);
  await rollBack();
  await Promise.all([one, two, one, two, one, two].map(({ ask }) => pull(ask, accessToken, lost)));
  assert.deepEqual(events(), ["store-rolled-back"]);
  assert.equal(await readCount(two), 1);
});

testOnBothStores(
  "a refresh token that is ahead of the store tells of a rollback, not of a theft",
  async (place) => {
    const { one, two, wait, events } = await startTwo(place);
    const phone = await signIn(one.ask, signInOptions());
    const tablet = await signIn(one.ask, signInOptions({ deviceId: "tablet" }));
    const watch = await signIn(one.ask, signInOptions({ deviceId: "watch" }));
    const atCopy = await push(one.store, 2);
    const rollBack = await copyEverything(one.store, place);
    wait(MINUTE_MS);
    const newest = new Map<string, string>();
    for (const { deviceId, refreshToken } of [phone, tablet]) {
      const next = await refresh(one, refreshToken);
      newest.set(deviceId, (await refresh(two, next.refreshToken)).refreshToken);
    }
    await push(one.store, 1);
    await rollBack();
    wait(MINUTE_MS);

    for (const { deviceId, refreshToken } of [phone, tablet]) {
      const ahead = await refresh(two, newest.get(deviceId) ?? "");
      assert.deepEqual([ahead.status, ahead.error], [401, "invalid_refresh_token"]);
      // A thief who kept an earlier token has nothing of it: the device is revoked.
      assert.equal((await refresh(one, refreshToken)).status, 401);
    }
    assert.deepEqual(events(), ["store-rolled-back"]);
    assert.equal(await readCount(one), 1);
    // A device that was at the head of the copy cannot tell by its cursor, and starts anew with the rest.
    const { status, ...tokens } = await refresh(one, watch.refreshToken);
    assert.equal(status, 200);
    const { accessToken } = tokens as unknown as { accessToken: string };
    assert.equal(await pull(two.ask, accessToken, atCopy), "generation_changed");
    const highWater = one.store.highWater.read();
    assert.equal(highWater?.generation, (await two.store.operations.head()).generation);
    assert.deepEqual(events(), ["store-rolled-back"]);
  },
);

testOnBothStores("a reused refresh token is a theft still", async (place) => {
  const { one, two, wait, events } = await startTwo(place);
  const { refreshToken } = await signIn(one.ask, signInOptions());
  const next = await refresh(one, refreshToken);
  await refresh(two, next.refreshToken);
  wait(MINUTE_MS);
  assert.equal((await refresh(two, refreshToken)).status, 401);
  assert.deepEqual(events(), ["refresh-token-reuse"]);
  assert.equal(await readCount(one), 0);
});
