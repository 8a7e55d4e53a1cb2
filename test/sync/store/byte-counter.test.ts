/** What an instance in a database uses is counted as it grows, and measured now and then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../../src/database/database.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { createByteCounter, readStoredBytes } from "../../../src/sync/sql/stored-bytes.ts";
import { createStorePlaces } from "../../database/on-both-stores.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "../operations/device.ts";

const HOUR_MS = 3_600_000;
const { createPlace } = createStorePlaces(openSyncStore);

/** The statements that look at each row of a table. */
function watchScans(database: Database) {
  let scans = 0;
  const query: Database["query"] = (sql, params) => {
    if (sql.includes("sync_entities")) scans++;
    return database.query(sql, params);
  };
  return { database: { ...database, query }, takeScans: () => [scans, (scans = 0)][0] };
}

test("each push is counted without a look at all rows, and never for less than it takes", async (t) => {
  const store = await (await createPlace(t, "PostgreSQL")).open();
  const { database, takeScans } = watchScans(store.database);
  const clock = { now: 0 };
  const count = createByteCounter(database, Number.POSITIVE_INFINITY, () => clock.now);
  let sequence = 0;
  const push = (entityId: string) => {
    sequence++;
    return pushTo(store, [createOperation({ sequence, entityId, payload: { title: "a" } })]);
  };
  assert.equal(await count(), await readStoredBytes(store.database));
  assert.equal(takeScans(), 1);
  for (const entityId of ["note/1", "note/2", "note/1"]) {
    await push(entityId);
    const [counted, beside] = await Promise.all([count(), count()]);
    assert.ok(counted >= (await readStoredBytes(store.database)));
    assert.equal(await count(), Math.max(counted, beside));
  }
  assert.equal(takeScans(), 0);
  clock.now += HOUR_MS;
  assert.equal(await count(), await readStoredBytes(store.database));
  assert.equal(takeScans(), 1);
});

test("a store that is used up is measured, so that it is refused for what it takes alone", async (t) => {
  const store = await (await createPlace(t, "PostgreSQL")).open();
  const { database, takeScans } = watchScans(store.database);
  const clock = { now: 0 };
  const empty = await readStoredBytes(store.database);
  const count = createByteCounter(database, empty + 1, () => clock.now);
  await count();
  await pushTo(store, [
    createOperation({ sequence: 1, entityId: "note/1", payload: { title: "a" } }),
  ]);
  takeScans();
  assert.ok((await count()) > empty);
  clock.now += 1000;
  assert.equal(await count(), await readStoredBytes(store.database));
  assert.equal(takeScans(), 1);
  // Another generation begins with other rows.
  await store.transaction(({ log }) => log.clear());
  assert.equal(await count(), empty);
});
