/** A client with many entities is open before all of them are parsed. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { ENTITY_PREFIX } from "../../../src/client/sync/records.ts";
import { createWorld, stored, waitUntil } from "./world.ts";

const ENTITIES = 4200;
/** The first page is readable when the client is open. */
const PAGE = 2000;

/** Holds back each page of entities after the first ones until the test lets it pass, or fail. */
function holdPages(storage: SyncStorage) {
  const waiting: PromiseWithResolvers<void>[] = [];
  let free = 1;
  return {
    waiting,
    passAll(): void {
      free = Infinity;
      for (const { resolve } of waiting.splice(0)) resolve();
    },
    storage: {
      ...storage,
      transaction: (mode, work) =>
        storage.transaction(mode, (transaction) =>
          work({
            ...transaction,
            async list(range) {
              const isEntities = range.from.startsWith(ENTITY_PREFIX);
              if (isEntities && --free < 0) {
                const gate = Promise.withResolvers<void>();
                waiting.push(gate);
                await gate.promise;
              }
              return transaction.list(range);
            },
          }),
        ),
    } satisfies SyncStorage,
  };
}

async function openHeld(t: TestContext) {
  const world = await createWorld(t);
  const records = createMemorySyncStorage();
  const filling = await world.open({ storage: records });
  const ids = Array.from(
    { length: ENTITIES },
    (_, index) => `note/${String(index).padStart(4, "0")}`,
  );
  await Promise.all(ids.map((id) => stored(filling.create(id, { id }))));
  await filling.close();
  const held = holdPages(records);
  const client = await world.open({ storage: held.storage });
  let isLoaded = false;
  void client.loaded.then(() => (isLoaded = true));
  return { client, held, ids, isLoaded: () => isLoaded };
}

test("the first entities are readable at once, edits do not wait for the others, and these follow", async (t) => {
  const { client, held, ids, isLoaded } = await openHeld(t);
  assert.deepEqual(
    client.entities.list().map(({ entityId }) => entityId),
    ids.slice(0, PAGE),
  );
  const told: number[] = [];
  client.subscribe(() => told.push(client.getSnapshot().entities.size));
  const [first, last] = [ids[0] as string, ids.at(-1) as string];
  const edits = Promise.all([
    stored(client.patch(last, { text: "Patched" })),
    stored(client.remove(first)),
  ]);
  held.waiting.shift()?.resolve();
  await edits;
  assert.deepEqual(client.entities.get(last)?.payload, { id: last, text: "Patched" });
  assert.equal(client.entities.get(ids.at(-2) as string), undefined);
  assert.equal(client.entities.list("note").length, 2 * PAGE);
  assert.equal(isLoaded(), false);
  held.passAll();
  await client.loaded;
  assert.deepEqual(
    client.entities.list().map(({ entityId }) => entityId),
    ids.slice(1),
  );
  assert.deepEqual(client.entities.get(last)?.payload, { id: last, text: "Patched" });
  assert.deepEqual([told.at(-1), told.length <= 3], [ENTITIES - 1, true], String(told));
});

test("entities that could not be read once are read again, also by an app without a server", async (t) => {
  const { client, held, ids } = await openHeld(t);
  held.waiting.shift()?.reject(new Error("The disk is asleep"));
  held.passAll();
  await client.loaded;
  assert.equal(client.entities.list().length, ids.length);
});

test("entities that could not be read twice are readable after the next round", async (t) => {
  const { client, held, ids, isLoaded } = await openHeld(t);
  held.waiting.shift()?.reject(new Error("The disk is asleep"));
  await waitUntil(() => held.waiting.length > 0, "they are read again");
  held.waiting.shift()?.reject(new Error("The disk is still asleep"));
  held.passAll();
  await client.sync();
  assert.ok(isLoaded());
  assert.equal(client.entities.list().length, ids.length);
});

test("a client that is closed while entities are read lets its callers go on", async (t) => {
  const { client, held } = await openHeld(t);
  const closed = client.close();
  held.passAll();
  await closed;
  await client.loaded;
});
