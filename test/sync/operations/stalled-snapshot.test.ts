import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import { entityStateToText } from "../../../src/rules/sync/entity-state-text.ts";
import { applyOperation } from "../../../src/rules/sync/merge.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { snapshotBody } from "../../../src/sync/log/snapshot.ts";
import { createSqlOperations } from "../../../src/sync/sql/sql-operations.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";

const SNAPSHOT_OPERATIONS = 100;
/** The first chunk, those that the two streams of a response hold, and the one that is being made. */
const MAX_CHUNKS_AHEAD = 4;

/** The snapshot has no end, so that a service which reads ahead without a bound never stops. */
function createEndlessSource() {
  const head = {
    generation: "g",
    headOffset: 1,
    compactionFloor: 0,
    mark: "Abcdefgh_-8",
    keyId: null,
  };
  const state = entityStateToText(
    applyOperation(null, parseOperation(JSON.stringify(createOperation({ sequence: 1 })))).state,
  );
  const read = { characters: 0 };
  async function* snapshot() {
    for (;;) {
      read.characters += state.length;
      yield { head, state };
    }
  }
  return { read, source: { snapshot, sealedSnapshot: unused, head: async () => head } };
}

/** The account has no key. */
async function* unused(): AsyncGenerator<never> {}

test("a reader that stops reading makes the service read a few chunks, not the snapshot", async () => {
  const { read, source } = createEndlessSource();
  const reader = (await snapshotBody(source)).getReader();
  const { value } = await reader.read();
  // Everything that goes on without the reader goes on in these turns of the event loop.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  assert.ok(value !== undefined && read.characters <= MAX_CHUNKS_AHEAD * value.byteLength);
  await reader.cancel();
});

test("snapshots that are read at once make one chunk in each turn of the event loop", async () => {
  const { source } = createEndlessSource();
  const bodies = await Promise.all([1, 2, 3].map(() => snapshotBody(source)));
  let chunks = 0;
  const reading = Promise.all(
    bodies.map(async (body) => {
      const reader = body.getReader();
      for (let chunk = 0; chunk < 10; chunk++) {
        await reader.read();
        chunks++;
      }
      await reader.cancel();
    }),
  );
  const counts = [];
  while (chunks < 30) {
    const before = chunks;
    await nextTurn();
    counts.push(chunks - before);
  }
  await reading;
  const [first = 0, ...later] = counts;
  // The first chunks were made before the responses began, and the second ones beside them.
  assert.ok(first <= 2 * bodies.length && later.every((count) => count <= 1), String(counts));
});

test("a snapshot on SQLite is read in the order of an index: a sort would hold all of it", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { database } = await place.open();
  const statements: string[] = [];
  const recorded = createSqlOperations(
    {
      ...database,
      stream(sql, params) {
        statements.push(sql);
        return database.stream(sql, params);
      },
    },
    () => {},
  );
  for await (const { state } of recorded.snapshot()) assert.equal(state, null);
  for await (const { entity } of recorded.sealedSnapshot()) assert.equal(entity, null);
  assert.equal(statements.length, 2);
  for (const statement of statements) {
    const steps = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`);
    const details = steps.map(({ detail }) => detail);
    // The other side of the union is the row of the head, which is sorted by itself.
    const entities = details.slice(details.indexOf("RIGHT"));
    assert.ok(entities.some((detail) => detail.startsWith("SEARCH e USING INDEX")));
    const sorted = entities.filter((detail) => detail.includes("TEMP B-TREE"));
    // The few operations of one entity are put in the order of the log.
    assert.deepEqual(sorted, statement.includes("json_each") ? [ONE_ENTITY] : []);
  }
});

const ONE_ENTITY = "USE TEMP B-TREE FOR ORDER BY";

testOnBothStores(
  "a snapshot whose reader stalls fails, and is never taken for a whole one",
  async (place, t) => {
    const section = { store: place.store, instanceKeyFile: join(place.folder, "instance.key") };
    const store = await openServiceStore(SYNC_STORE, section, place.dataDir, {
      database: { streamIdleTimeoutMs: 300 },
    });
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
