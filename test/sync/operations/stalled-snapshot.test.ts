import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openKeyedSyncStore } from "../../../src/server/sync-store.ts";
import { snapshotBody } from "../../../src/sync/snapshot.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { testOnBothStores } from "./on-both-stores.ts";

const SNAPSHOT_OPERATIONS = 100;

testOnBothStores(
  "a snapshot whose reader stalls fails, and is never taken for a whole one",
  async (place, t) => {
    const section = { store: place.store, instanceKeyFile: join(place.folder, "instance.key") };
    const store = await openKeyedSyncStore(section, place.dataDir, { streamIdleTimeoutMs: 300 });
    t.after(() => store.close());
    const operations = Array.from({ length: SNAPSHOT_OPERATIONS }, (_, index) =>
      createOperation({
        sequence: index + 1,
        entityId: `note/${index}`,
        payload: { text: "x".repeat(10_000) },
      }),
    );
    for (let start = 0; start < operations.length; start += 20) {
      await pushTo(store, operations.slice(start, start + 20));
    }
    const read = async (pauseMs: number) => {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of await snapshotBody(store.operations)) {
        text += decoder.decode(chunk, { stream: true });
        await wait(pauseMs);
      }
      return (JSON.parse(text) as { entities: unknown[] }).entities.length;
    };
    assert.equal(await read(30), SNAPSHOT_OPERATIONS, "a slow reader gets all");
    await assert.rejects(read(600), /a reader stalled for too long/);
    assert.equal(await read(0), SNAPSHOT_OPERATIONS);
  },
);
