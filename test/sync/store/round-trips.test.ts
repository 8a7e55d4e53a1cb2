/** How often a sync service on PostgreSQL waits for the server, and for whom. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import {
  StorageUnavailableError,
  type Row,
  type RowSet,
  type Transaction,
} from "../../../src/database/database.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { openDatabase } from "../../../src/database/open-database.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { migrateSync, openSqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { append, readLog, readSnapshot } from "../../../store-contract/read-store.ts";
import { sampleOperation, sampleOperations } from "../../../store-contract/samples.ts";
import { countRoundTrips, type RoundTrips } from "../../database/count-round-trips.ts";
import { startPostgres } from "../../database/start-postgres.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { testOnBothStores } from "../operations/on-both-stores.ts";
import { signInOptions, startSyncService } from "../service/sync-service.ts";
import { postJson, signIn } from "../sync-client.ts";

const CLIENTS = 16;
const WAITING_WRITER = `SELECT 1 FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`;

async function openCounted(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-trips-"));
  const url = await (await startPostgres()).createDatabase();
  const trips = await countRoundTrips(t, url);
  const store = await openSyncStore(trips.url, folder);
  t.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  // Statements are prepared when they are used for the first time.
  await append(store, sampleOperations(2, "first"));
  await append(store, [
    ...sampleOperations(1, "first"),
    sampleOperation(3, { deviceId: "first", entityId: "note/first-1" }),
  ]);
  trips.take();
  return { store, trips, url };
}

/**
 * The fewest round trips of several appends, each with one commit: beside a notification one may take another
 * connection, which prepares its statements anew.
 */
async function fewestTrips(
  trips: RoundTrips,
  run: (turn: number) => Promise<unknown>,
): Promise<number> {
  const counts: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    trips.take();
    await run(turn);
    const taken = trips.take();
    assert.equal(taken.commits, 1);
    counts.push(taken.trips);
  }
  return Math.min(...counts);
}

test("an append is three round trips: begin, read, write with the commit", async (t) => {
  const { store, trips } = await openCounted(t);
  const push = (turn: number) => append(store, sampleOperations(100, `phone-${turn}`));
  assert.equal(await fewestTrips(trips, push), 3);
  assert.equal(await fewestTrips(trips, push), 3, "a repetition has nothing to write");
});

test("appends at the same time share read, write and commit", async (t) => {
  const { store, trips, url } = await openCounted(t);
  const appendAll = (first: number) =>
    Array.from({ length: CLIENTS }, (_, client) =>
      append(store, sampleOperations(3, `device-${client}`, first)),
    );
  assert.equal(await fewestTrips(trips, (turn) => Promise.all(appendAll(1 + 3 * turn))), 3);

  // Those that come while a group waits for another process join it.
  const other = await openPostgres(url);
  t.after(() => other.close());
  const inside = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = other.transaction(async () => {
    inside.resolve();
    await release.promise;
  });
  await inside.promise;
  const first = append(store, sampleOperations(1, "phone"));
  while ((await other.query(WAITING_WRITER)).length === 0) await wait(5);
  const joined = appendAll(19);
  release.resolve();
  await Promise.all([holding, first, ...joined]);
  const shared = trips.take();
  assert.equal(shared.commits, 1);
  assert.ok(shared.trips < CLIENTS, `${shared.trips} round trips`);
  const log = await readLog(store.operations);
  assert.equal(log.length, 3 + 1 + 7 * 3 * CLIENTS);
});

test("of appends at the same time, one that conflicts stores nothing and the others are stored", async (t) => {
  const { store, trips } = await openCounted(t);
  const before = (await readLog(store.operations)).length;
  trips.take();
  const phone = sampleOperation(1, { deviceId: "phone", entityId: "note/shared" });
  const other = sampleOperation(1, { deviceId: "phone", entityId: "note/other" });
  const laptop = sampleOperation(1, { deviceId: "laptop", entityId: "note/shared", kind: "patch" });
  const results = await Promise.all(
    [[phone], [...sampleOperations(2, "tablet"), other], [laptop, phone]].map((operations) =>
      store.operations.append(operations, 0),
    ),
  );
  assert.equal(trips.take().commits, 1);
  assert.deepEqual(results[1], { kind: "conflict", indexes: [2] });
  assert.ok(results[0]?.kind === "stored" && results[2]?.kind === "stored");
  // The repetition in the third has the place and the mark of the first.
  assert.deepEqual(results[2].receipts[1], {
    ...results[0].receipts[0],
    duplicate: true,
    changed: false,
  });
  assert.notEqual(results[2].receipts[0]?.mark, results[0].receipts[0]?.mark);
  assert.equal((await readLog(store.operations)).length, before + 2);
  const page = await store.operations.page(before, 1);
  assert.equal(page.lastMark, results[0].receipts[0]?.mark, "each append has a mark of its own");
});

test("of appends at the same time, one that the server refuses does not fail the others", async (t) => {
  const { store } = await openCounted(t);
  // Validation lets no such id through; PostgreSQL has no text with it.
  const refused = { ...sampleOperation(1, { deviceId: "tablet" }), entityId: "note/\u0000" };
  const [first, second, third] = await Promise.allSettled([
    append(store, sampleOperations(2, "phone")),
    append(store, [refused]),
    append(store, sampleOperations(2, "laptop")),
  ]);
  assert.deepEqual(
    [first.status, second.status, third.status],
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.equal((await readLog(store.operations)).length, 3 + 4);
});

testOnBothStores("appends after one that could not begin are not lost with it", async (place) => {
  const database = await openDatabase(place.store);
  let isAway = false;
  await migrateSync(database);
  const store = await openSqlSyncStore(
    {
      ...database,
      transaction: (work) =>
        isAway ? Promise.reject(new StorageUnavailableError("a test")) : database.transaction(work),
    },
    { highWaterPath: join(place.folder, "sync.highwater") },
  );
  isAway = true;
  await assert.rejects(append(store, sampleOperations(1)), StorageUnavailableError);
  await assert.rejects(append(store, sampleOperations(1)), StorageUnavailableError);
  isAway = false;
  assert.equal((await append(store, sampleOperations(2))).length, 2);
  await store.close();
});

testOnBothStores("an append reads the state of an entity once", async (place) => {
  const database = await openDatabase(place.store);
  let states = 0;
  const count = (tx: Transaction): Transaction => ({
    ...tx,
    queryRows: async <T extends Row>(sql: string, given: RowSet) => {
      const rows = await tx.queryRows<T>(sql, given);
      states += rows.filter(({ state }) => typeof state === "string").length;
      return rows;
    },
  });
  await migrateSync(database);
  const store = await openSqlSyncStore(
    { ...database, transaction: (work) => database.transaction((tx) => work(count(tx))) },
    { highWaterPath: join(place.folder, "sync.highwater") },
  );
  const patch = (sequence: number) =>
    sampleOperation(sequence, { kind: "patch", payload: `{"field-${sequence}":1}` });
  await append(store, [sampleOperation(1)]);
  assert.equal(states, 0);
  await append(store, [patch(2), ...sampleOperations(2, "laptop"), patch(3), patch(4)]);
  assert.equal(states, 1);
  const { states: merged } = await readSnapshot(store.operations);
  const fields = merged.find(({ entityId }) => entityId === "note/1")?.payloadFields.keys() ?? [];
  assert.deepEqual([...fields].sort(), ["field-2", "field-3", "field-4", "text"]);
  await store.close();
});

test("a push is three round trips beside that of its token", async (t) => {
  const { store, trips } = await openCounted(t);
  const { ask } = await startSyncService(store);
  const { accessToken } = await signIn(ask, signInOptions());
  const push = async (sequence: number) => {
    const operation = createOperation({ deviceId: "phone", sequence });
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await postJson(ask, "/v1/push", { operations: [operation] }, headers);
    assert.equal(response.status, 200);
  };
  // Beside a notification the check of a token may take another connection, which prepares it anew.
  const counts = [];
  for (const sequence of [1, 2, 3, 4, 5, 6]) {
    trips.take();
    await push(sequence);
    counts.push(trips.take());
  }
  const prepared = counts.filter((count) => count.trips === 1 + 3);
  assert.ok(prepared.length >= 3, JSON.stringify(counts));
  assert.deepEqual(new Set(counts.map(({ commits }) => commits)), new Set([1]));
});

test("a pull is one round trip beside that of its token", async (t) => {
  const { store, trips } = await openCounted(t);
  const { ask } = await startSyncService(store);
  const { accessToken } = await signIn(ask, signInOptions());
  // Three of the sign-in and these fill the first page: it ends at the end of a push.
  const operations = sampleOperations(30);
  await append(store, operations.slice(0, 17));
  await append(store, operations.slice(17));
  const pull = async (query: string) => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await ask(`/v1/pull?${query}`, { headers });
    assert.equal(response.status, 200);
    return (await response.json()) as { readonly cursor: string; readonly operations: unknown[] };
  };
  // Work in the background and a connection that prepares a statement for the first time only add to a count.
  const fewest = async (query: string, operations: number) => {
    const counts = [];
    for (let repetition = 0; repetition < 8; repetition++) {
      trips.take();
      assert.equal((await pull(query)).operations.length, operations);
      counts.push(trips.take().trips);
    }
    return Math.min(...counts);
  };
  const { cursor } = await pull("limit=20");
  assert.equal(await fewest("limit=20", 20), 1 + 1, "a page that ends within the log");
  assert.equal(await fewest(`limit=20&cursor=${cursor}`, 13), 1 + 1, "the last page");
});

testOnBothStores("requests that only read do not wait for a writer", async (place) => {
  const store = await place.open();
  const { ask } = await startSyncService(store);
  const { accessToken } = await signIn(ask, signInOptions());
  await append(store, sampleOperations(3));
  for (const holder of [store, await place.open()]) {
    const inside = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const hold = async (tx: Transaction) => {
      await tx.query("UPDATE sync_log SET head_offset = head_offset WHERE id = 1");
      await tx.query("DELETE FROM sync_access_tokens WHERE expires_at < 0");
      inside.resolve();
      await release.promise;
    };
    let isHeld = true;
    const holding = holder.database.transaction(hold).finally(() => (isHeld = false));
    await inside.promise;
    const headers = { Authorization: `Bearer ${accessToken}` };
    const bodies = await Promise.all(
      ["/v1/device", "/v1/pull?limit=2", "/v1/snapshot", "/v1/health"].map(async (path) => {
        const response = await ask(path, { headers });
        assert.equal(response.status, 200, path);
        return response.text();
      }),
    );
    assert.match(bodies[1] ?? "", /note\/phone-2/);
    assert.equal(isHeld, true);
    release.resolve();
    await holding;
  }
});

test("three processes that append to the same entities at once never deadlock", async (t) => {
  const { store, url } = await openCounted(t);
  const folder = await mkdtemp(join(tmpdir(), "trellis-processes-"));
  t.after(() => rm(folder, { recursive: true }));
  const others = [await openSyncStore(url, folder), await openSyncStore(url, folder)];
  t.after(() => Promise.all(others.map((other) => other.close())));
  const before = (await readLog(store.operations)).length;
  const entities = ["note/a", "note/b", "note/c", "note/d"];
  const appends = [store, ...others].flatMap((one, index) =>
    Array.from({ length: CLIENTS }, (_, client) => {
      const deviceId = `device-${index}-${client}`;
      const inOrder = client % 2 === 0 ? entities : entities.toReversed();
      return append(
        one,
        inOrder.map((entityId, at) => sampleOperation(at + 1, { deviceId, entityId })),
      );
    }),
  );
  const receipts = (await Promise.all(appends)).flat();
  assert.equal(new Set(receipts.map(({ offset }) => offset)).size, 3 * CLIENTS * entities.length);
  assert.equal((await readLog(store.operations)).length, before + receipts.length);
  const [row] = await store.database.query<{ deadlocks: number }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  assert.equal(row?.deadlocks, 0);
});
