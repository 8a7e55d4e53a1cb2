/** Events needs of a database what sync needs: no session, no `LISTEN`, and commits that may be refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEventsStore } from "../../../src/events/sql/open-store.ts";
import { startOtherEngine } from "../../database/other-engine.ts";
import { createPlace } from "./on-both-stores.ts";
import { addSource, NOW, prepare, put, sampleSubscription, write } from "./samples.ts";

const FEEDS = 10;
const ROUNDS = 20;

test("two processes share feeds and stamps on an engine without sessions", async (t) => {
  const place = await createPlace(t, "PostgreSQL");
  const engine = await startOtherEngine(t, place.store);
  // Two addresses of one database have a pool each, as two processes do.
  const open = async (name: string) => {
    const address = `${engine.address}&application_name=${name}`;
    const store = await openEventsStore(address, `${place.dataDir}-${name}`);
    t.after(() => store.close());
    return store;
  };
  const stores = [await open("one"), await open("other")] as const;
  const [store] = stores;
  const at = await prepare(store);
  for (let index = 0; index < FEEDS; index++) {
    const source = await addSource(store, at[0], `feed-${index}`, { kind: "subscription" });
    await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
  }
  const claims = Array.from({ length: FEEDS }, (_, turn) =>
    stores[turn % 2 === 0 ? 0 : 1].transaction(({ subscriptions }) =>
      subscriptions.claimDue(NOW, NOW + 1, 3),
    ),
  );
  const names = (await Promise.all(claims)).flat().map(({ name }) => name);
  assert.equal(new Set(names).size, FEEDS);
  assert.equal(names.length, FEEDS);

  await Promise.all(
    stores.map(async (one, process) => {
      for (let round = 0; round < ROUNDS; round++) {
        await write(one, at, [put(`event-${process}-${round}`)]);
      }
    }),
  );
  const [row] = await store.database.query<{ events: number; stamps: number }>(
    "SELECT count(*) AS events, count(DISTINCT updated_at) AS stamps FROM events_entries",
  );
  assert.deepEqual(row, { events: 2 * ROUNDS, stamps: 2 * ROUNDS });
  assert.ok(engine.refusals() > 0);
  for (const text of engine.unknown) assert.match(text, /pg_control_system/);
});
