/** A live query shows its first rows before all entities were read, and they are the right ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createMemorySyncStorage,
  type Entity,
  type LiveQuery,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { readStoredPages } from "../../../src/client/sync/entity-pages.ts";
import { CLEAR_FORM } from "../../../src/client/sync/record-form.ts";
import {
  DEVICE_KEY,
  entityKey,
  INDEX_PREFIX,
  type DeviceRecord,
} from "../../../src/client/sync/records.ts";
import { createVisibleRecords } from "../../../src/client/sync/visible-records.ts";
import { createWorld, stored, type World } from "../sync/world.ts";
import { createSchema, idOf } from "./task.ts";

interface Booking {
  category?: string;
  date?: string;
  cents?: number;
  /** The place in an order. */
  position: string;
}

const INDEXES = ["date", ["category", "date"]] as const;
const KINDS = { position: "order" } as const;
const MANY = 2300;
/** So many rows are shown first of a query without a limit. */
const FIRST = 100;

const bookingsOf = (client: SyncClient) =>
  client.collection<Booking, typeof KINDS, (typeof INDEXES)[number]>("booking", {
    indexes: INDEXES,
    kinds: KINDS,
  });

type Bookings = ReturnType<typeof bookingsOf>;
type Query = NonNullable<Parameters<Bookings["list"]>[0]>;

const idsOf = (rows: readonly Pick<Entity<Booking>, "id">[]) => rows.map(({ id }) => id);

function fieldsOf(number: number) {
  const day = new Date(Date.UTC(2026, 0, 1 + ((number * 7919) % 400))).toISOString().slice(0, 10);
  return {
    category: `category ${number % 3}`,
    cents: number,
    // Some have none, and the order leaves them out.
    ...(number % 50 > 0 && { date: day }),
  };
}

async function createMany(client: SyncClient): Promise<void> {
  const bookings = bookingsOf(client);
  for (let start = 0; start < MANY; start += FIRST) {
    const result = await client.transaction((edit) => {
      for (let number = start; number < start + FIRST; number++) {
        edit(bookings).create(fieldsOf(number), { id: `b${number}` });
      }
    });
    assert.equal(result.kind, "stored");
  }
}

/** Asks, so that the indexes are stored, and waits until they are. */
async function keepIndexes(
  world: World,
  storage: SyncStorage,
  queries: readonly Query[],
  orders: number,
) {
  const client = await world.open({ storage });
  for (const query of queries) bookingsOf(client).query(query);
  await client.loaded;
  await waitForIndexes(storage, orders);
  await client.close();
}

async function readDevice(storage: SyncStorage): Promise<DeviceRecord> {
  const text = await storage.transaction("read", (transaction) => transaction.get(DEVICE_KEY));
  return JSON.parse(text ?? "") as DeviceRecord;
}

/** A client stores them, once all entities are read, where they lack many. */
async function waitForIndexes(storage: SyncStorage, count: number): Promise<void> {
  const isStored = ({ indexes, writes }: DeviceRecord) =>
    indexes?.writes === writes && indexes.names.length >= count && indexes.recordIds.length <= 25;
  while (!isStored(await readDevice(storage))) await new Promise(setImmediate);
}

/** All entities by their records alone, from a storage that is not changed. */
async function listByRecords(world: World, storage: SyncStorage) {
  const hidden: SyncStorage = {
    ...storage,
    transaction: (mode, work) =>
      storage.transaction(mode, (transaction) => {
        if (mode === "write") throw new Error("This storage is only read");
        const get = async (key: string) => {
          const text = await transaction.get(key);
          if (key !== DEVICE_KEY || text === undefined) return text;
          return JSON.stringify({ ...(JSON.parse(text) as DeviceRecord), indexes: undefined });
        };
        return work({ ...transaction, get });
      }),
    close: async () => {},
  };
  const client = await world.open({ storage: hidden });
  await client.loaded;
  const all = client.entities.list();
  await client.close();
  return all;
}

/** Holds back the pages of entities behind the first one until the test lets them pass. */
function holdEntities(storage: SyncStorage) {
  const gate = Promise.withResolvers<void>();
  return {
    pass: () => gate.resolve(),
    storage: {
      ...storage,
      transaction: (mode, work) =>
        storage.transaction(mode, (transaction) =>
          work({
            ...transaction,
            async get(key) {
              if (key === `${INDEX_PREFIX}.entities/1`) await gate.promise;
              return transaction.get(key);
            },
          }),
        ),
    } satisfies SyncStorage,
  };
}

async function openFilled(
  t: Parameters<typeof createWorld>[0],
  queries: readonly Query[],
  orders = 1,
) {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const filling = await world.open({ storage });
  await createMany(filling);
  await filling.close();
  await keepIndexes(world, storage, queries, orders);
  return { world, storage };
}

/** Resolves when the query shows its first rows. */
function shown({ getSnapshot, subscribe }: LiveQuery<Booking>): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (getSnapshot().rows.length > 0) resolve();
    };
    subscribe(check);
    check();
  });
}

const range = { from: "2026-03-01", to: "2026-04-30" };
const QUERIES: readonly Query[] = [
  {},
  { limit: 7, desc: true },
  { orderBy: "date", desc: true, limit: 20 },
  { orderBy: "date", where: { date: range } },
  { orderBy: "date", where: { date: range }, desc: true, limit: 3 },
  { where: { category: "category 1" }, orderBy: "date", limit: 30 },
  { where: { category: "category 2", date: range }, orderBy: ["category", "date"], desc: true },
];
/** So many indexes have the orders of these. */
const ORDERS = 3;

test("the first rows of any query are right before all entities are read, whatever was written since", async (t) => {
  const { world, storage } = await openFilled(t, QUERIES, ORDERS);
  const change = fc.record({
    number: fc.nat(MANY + 20),
    next: fc.option(fc.record({ category: fc.nat(3), day: fc.integer({ min: 0, max: 500 }) })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
      const editing = await world.open({ storage });
      const before = bookingsOf(editing);
      await editing.loaded;
      for (const { number, next } of changes) {
        const id = `b${number}`;
        if (next === null) {
          if (before.get(id) !== undefined) await before.remove(id);
          continue;
        }
        const date = new Date(Date.UTC(2026, 0, 1 + next.day)).toISOString().slice(0, 10);
        await idOf(before.upsert(id, { category: `category ${next.category}`, date }));
        if (next.day % 9 === 0) await before.move(id, { first: true });
      }
      const first = ({ limit = FIRST, ...query }: Query) => idsOf(before.list({ ...query, limit }));
      const expected = QUERIES.map(first);
      await editing.close();

      const held = holdEntities(storage);
      const client = await world.open({ storage: held.storage });
      const bookings = bookingsOf(client);
      const queries = QUERIES.map((query) => bookings.query(query));
      await Promise.all(queries.map(shown));
      for (const [index, { getSnapshot }] of queries.entries()) {
        const { rows, isComplete } = getSnapshot();
        assert.deepEqual([idsOf(rows), isComplete], [expected[index], false]);
      }
      held.pass();
      await client.loaded;
      for (const [index, { getSnapshot }] of queries.entries()) {
        const { rows, isComplete } = getSnapshot();
        assert.deepEqual([rows, isComplete], [bookings.list(QUERIES[index]), true]);
      }
      assert.deepEqual(client.entities.list(), await listByRecords(world, storage));
      await waitForIndexes(storage, ORDERS);
      await client.close();
    }),
    { numRuns: 8 },
  );
});

const LATEST: Query = { orderBy: "date", desc: true, limit: 5 };

/** Opens the app again; returns how many rows the query showed at each change. */
async function openAgain(world: World, storage: SyncStorage, open = bookingsOf) {
  const client = await world.open({ storage });
  const bookings = open(client);
  const query = bookings.query(LATEST);
  const first: number[] = [];
  query.subscribe(() => {
    const { rows, isComplete } = query.getSnapshot();
    if (!isComplete) first.push(rows.length);
  });
  await client.loaded;
  assert.deepEqual(query.getSnapshot(), { rows: bookings.list(LATEST), isComplete: true });
  await waitForIndexes(storage, 1);
  await client.close();
  return { first, latest: query.getSnapshot().rows };
}

test("what a client without indexes wrote is not missed: its rows come with all", async (t) => {
  const { world, storage } = await openFilled(t, [LATEST]);
  await storage.transaction("write", async (transaction) => {
    const device = JSON.parse((await transaction.get(DEVICE_KEY)) ?? "") as DeviceRecord;
    const key = entityKey("booking/b1");
    const text = (await transaction.get(key)) ?? "";
    transaction.put(key, text.replace(/"date":"[^"]+"/, '"date":"2030-01-01"'));
    transaction.put(DEVICE_KEY, JSON.stringify({ ...device, writes: device.writes + 1 }));
  });
  const { first, latest } = await openAgain(world, storage);
  assert.deepEqual([first, latest[0]?.id], [[], "b1"]);
  assert.deepEqual((await openAgain(world, storage)).first, [5]);
});

test("after more edits than an index can lack, the rows come with all, and the next time at once", async (t) => {
  const { world, storage } = await openFilled(t, [LATEST]);
  const editing = await world.open({ storage });
  await Promise.all(
    Array.from({ length: 201 }, (_, number) =>
      stored(editing.patch(`booking/b${number + 1}`, { date: "2029-01-01" })),
    ),
  );
  await editing.close();
  assert.deepEqual((await openAgain(world, storage)).first, []);
  assert.deepEqual((await openAgain(world, storage)).first, [5]);
});

test("an index of rows that an update of the app shows otherwise is not believed", async (t) => {
  const { world, storage } = await openFilled(t, [LATEST]);
  const schema = createSchema<Booking, Booking>((fields) => {
    const { date, ...others } = fields as unknown as Booking;
    return { value: { ...others, ...(date !== undefined && { date: `${date}T00:00` }) } };
  });
  const open = (client: SyncClient) =>
    client.collection("booking", { schema, indexes: INDEXES, kinds: KINDS });
  assert.deepEqual((await openAgain(world, storage, open)).first, []);
});

for (const [how, patched] of [
  ["a few", 3],
  ["more than an index can lack", 201],
] as const) {
  test(`${how} edits of another tab while entities are read are not missed`, async (t) => {
    const { world, storage } = await openFilled(t, [LATEST]);
    const other = await world.open({ storage });
    await other.loaded;
    const last = other.entities.list().slice(-250);
    const visible = createVisibleRecords(CLEAR_FORM);
    const pages = readStoredPages((work) => storage.transaction("read", work));
    const { value: first } = await pages.next();
    assert.ok(first !== undefined && (first.entities?.length ?? 0) < MANY - last.length);
    visible.takePage(first);
    const edits = last
      .slice(1, patched + 1)
      .map(({ entityId }) => other.patch(entityId, { cents: 7 }));
    await Promise.all([other.remove(last[0]?.entityId ?? ""), ...edits].map(stored));
    for await (const page of pages) visible.takePage(page);
    assert.deepEqual(visible.entities().list(), other.entities.list());
  });
}
