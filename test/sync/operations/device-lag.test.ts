/** How far devices are behind the head of the log, as their operator learns it. */
import assert from "node:assert/strict";
import { StorageUnavailableError } from "../../../src/database/database.ts";
import { append } from "../../../store-contract/read-store.ts";
import { NOW, sampleOperations, sampleSession } from "../../../store-contract/samples.ts";
import { createPulledOffsets, readDeviceLags } from "../../../src/sync/sql/pulled-offsets.ts";
import { testOnBothStores } from "./on-both-stores.ts";

testOnBothStores(
  "the lag of a device is that of its last pull, whichever process it asked",
  async (place) => {
    const store = await place.open();
    const other = await place.open();
    await store.transaction(async ({ sessions }) => {
      await sessions.open(sampleSession("phone"));
      await sessions.open(sampleSession("laptop"));
      await sessions.open(sampleSession("never-pulled"));
      await sessions.open(sampleSession("expired", { idleExpiresAt: NOW }));
    });
    await append(store, sampleOperations(10));
    assert.deepEqual(await readDeviceLags(store.database, NOW), []);

    const [here, there] = [store, other].map(({ database }) => createPulledOffsets(database));
    assert.ok(here !== undefined && there !== undefined);
    here.note(sampleSession("phone").family, 2);
    here.note(sampleSession("laptop").family, 10);
    here.note(sampleSession("expired").family, 0);
    here.note("a family that was revoked", 0);
    await here.flush();
    assert.deepEqual(await readDeviceLags(other.database, NOW), [8, 0]);

    there.note(sampleSession("phone").family, 7);
    await there.close();
    assert.deepEqual(await readDeviceLags(store.database, NOW), [3, 0]);
    await append(store, sampleOperations(5, "phone", 11));
    assert.deepEqual(await readDeviceLags(store.database, NOW), [8, 5]);
    await here.close();
  },
);

testOnBothStores("what could not be written stays noted, and newer offsets win", async (place) => {
  const store = await place.open();
  await store.transaction(({ sessions }) => sessions.open(sampleSession("phone")));
  await append(store, sampleOperations(10));
  const { family } = sampleSession("phone");
  let isAway = true;
  const offsets = createPulledOffsets({
    async transaction(work) {
      if (!isAway) return store.database.transaction(work);
      // A pull that comes while the store fails.
      offsets.note(family, 9);
      throw new StorageUnavailableError("the disk is full");
    },
  });
  offsets.note(family, 4);
  await offsets.flush();
  isAway = false;
  await offsets.close();
  assert.deepEqual(await readDeviceLags(store.database, NOW), [1]);
});
