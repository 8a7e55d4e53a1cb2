/** What a collection lists, against a plain filter and sort of all entities. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { IndexNeededError, type Entity } from "../../../src/client/index.ts";
import { createWorld } from "../sync/world.ts";
import { idOf } from "./task.ts";

interface Booking {
  category?: string;
  date?: string;
  cents?: number;
  open?: boolean;
}

type Row = Entity<Booking>;

const INDEXES = ["category", "date", ["category", "date"], ["open", "cents"]] as const;

async function openBookings(t: Parameters<typeof createWorld>[0]) {
  const client = await (await createWorld(t)).open();
  const bookings = client.collection<Booking, {}, (typeof INDEXES)[number]>("booking", {
    indexes: INDEXES,
  });
  return { client, bookings };
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const compare = (one: unknown, other: unknown) =>
  one === other ? 0 : (one as string) < (other as string) ? -1 : 1;

type Field = keyof Booking;

const BOUNDS = {
  category: fc.constantFrom("food", "rent", "\u{1f600}", "Ä"),
  date: fc.constantFrom("2026-01-01", "2026-01-02", "2026-02-01", "2027-01-01"),
  cents: fc.integer({ min: -3, max: 3 }),
  open: fc.boolean(),
} as const;

const filterOf = (field: Field) => {
  const value: fc.Arbitrary<string | number | boolean> = BOUNDS[field];
  return fc.oneof(value, fc.record({ from: value, to: value }, { requiredKeys: [] }));
};

const querySpec = fc.record(
  {
    where: fc.record(
      { category: filterOf("category"), date: filterOf("date"), open: filterOf("open") },
      { requiredKeys: [] },
    ),
    orderBy: fc.constantFrom("category", "date", "open", ["category", "date"]),
    desc: fc.boolean(),
    limit: fc.nat(4),
  },
  { requiredKeys: [] },
);

type QuerySpec = typeof querySpec extends fc.Arbitrary<infer T> ? T : never;

function isIn(value: unknown, filter: unknown): boolean {
  if (value === undefined) return false;
  if (typeof filter !== "object" || filter === null) return value === filter;
  const { from, to } = filter as { from?: string; to?: string };
  return (
    (from === undefined || compare(value, from) >= 0) &&
    (to === undefined || compare(value, to) <= 0)
  );
}

/** All rows that the query stands for, on all pages. */
function expectRows(all: readonly Row[], { where = {}, orderBy, desc = false }: QuerySpec): Row[] {
  const order = orderBy === undefined ? [] : ([orderBy].flat() as Field[]);
  const rows = all
    .filter((row) =>
      Object.entries(where).every(([field, filter]) => isIn(row[field as Field], filter)),
    )
    .filter((row) => order.every((field) => row[field] !== undefined))
    .sort((one, other) => {
      const field = order.find((name) => one[name] !== other[name]);
      return field === undefined ? compare(one.id, other.id) : compare(one[field], other[field]);
    });
  return desc ? rows.reverse() : rows;
}

test("any query gives what a filter and a sort of all entities give, page by page, also after edits", async (t) => {
  const { client, bookings } = await openBookings(t);
  const booking = fc.record(BOUNDS, { requiredKeys: [] });
  const edits = fc.uniqueArray(fc.tuple(fc.nat(60), fc.option(booking)), {
    selector: ([id]) => id,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(edits, fc.array(querySpec, { maxLength: 6 }), async (changes, specs) => {
      const result = await client.transaction((edit) => {
        for (const [id, fields] of changes) {
          // An edit changes at least one field.
          if (fields !== null) edit(bookings).upsert(`b${id}`, { cents: 0, ...fields });
          else if (bookings.get(`b${id}`) !== undefined) edit(bookings).remove(`b${id}`);
        }
      });
      assert.equal(result.kind, "stored");
      const all = bookings.list();
      for (const spec of specs) {
        const { limit = 1, where = {} } = spec;
        const expected = expectRows(all, spec);
        const query = spec as Parameters<typeof bookings.list>[0];
        assert.deepEqual(idsOf(bookings.list(query)), idsOf(expected).slice(0, spec.limit));
        assert.equal(
          bookings.count({ where } as typeof query & {}),
          expectRows(all, { where }).length,
        );
        const pages: Row[] = [];
        for (let page = 1; limit > 0 && page <= expected.length + 1; page++) {
          pages.push(...bookings.list({ ...query, limit, after: pages.at(-1) }));
        }
        if (limit > 0) assert.deepEqual(idsOf(pages), idsOf(expected));
        assert.deepEqual(bookings.query(query).getSnapshot().rows, bookings.list(query));
      }
    }),
    { numRuns: 60 },
  );
});

test("a sum adds up what the filter leaves, in cents", async (t) => {
  const { bookings } = await openBookings(t);
  await idOf(bookings.create({ category: "food", cents: 1999, date: "2026-01-31" }));
  await idOf(bookings.create({ category: "food", cents: 1, date: "2026-02-01" }));
  await idOf(bookings.create({ category: "food", date: "2026-02-01" }));
  await idOf(bookings.create({ category: "rent", cents: 80_000, date: "2026-02-01" }));
  assert.equal(bookings.sum("cents"), 82_000);
  assert.equal(bookings.sum("cents", { where: { category: "food" } }), 2000);
  const february = { from: "2026-02-01", to: "2026-02-28" };
  assert.equal(bookings.sum("cents", { where: { category: "food", date: february } }), 1);
  assert.equal(bookings.count({ where: { date: february } }), 3);
  assert.equal(bookings.count(), 4);
});

test("texts sort by code unit, and desc reverses ties too", async (t) => {
  const { bookings } = await openBookings(t);
  for (const [id, category] of ["b", "Z", "ä", "b", "\u{1f600}", "\uff5e"].entries()) {
    await idOf(bookings.create({ category }, { id: String(id) }));
  }
  const ascending = ["1", "0", "3", "2", "4", "5"];
  assert.deepEqual(idsOf(bookings.list({ orderBy: "category" })), ascending);
  const last = bookings.list({ orderBy: "category", desc: true });
  assert.deepEqual(idsOf(last), ascending.toReversed());
});

test("a page goes on behind its last row, also when that has moved or is gone", async (t) => {
  const { bookings } = await openBookings(t);
  for (const day of [1, 2, 3, 4]) {
    await idOf(bookings.create({ date: `2026-01-0${day}` }, { id: String(day) }));
  }
  const [, second] = bookings.list({ orderBy: "date", limit: 2 });
  await idOf(bookings.remove("2"));
  const next = () => bookings.list({ orderBy: "date", limit: 2, after: second });
  assert.deepEqual(idsOf(next()), ["3", "4"]);
  await idOf(bookings.create({ date: "2026-01-09" }, { id: "2" }));
  assert.deepEqual(idsOf(next()), ["3", "4"]);
});

test("a query that needs another index names it", async (t) => {
  const { bookings } = await openBookings(t);
  const ask = (query: unknown) => () => bookings.list(query as {});
  for (const [query, index, asked] of [
    [{ where: { cents: 5 } }, "cents", "where.cents"],
    [{ where: { open: { from: false }, cents: 5 } }, "cents", "where.cents"],
    [{ orderBy: "cents" }, "cents", 'orderBy "cents"'],
    [{ orderBy: "cents", where: { cents: 5 } }, "cents", "where.cents"],
    [{ orderBy: ["date", "category"] }, ["date", "category"], 'orderBy ["date","category"]'],
  ] as const) {
    const message = `Cannot list "booking": ${asked} needs an index: declare ${JSON.stringify(index)} in the indexes of the collection`;
    assert.throws(ask(query), (error) => {
      assert.ok(error instanceof IndexNeededError && error instanceof TypeError);
      assert.deepEqual([error.index, error.message], [index, message]);
      return true;
    });
    assert.throws(() => bookings.query(query as {}), IndexNeededError);
  }
  assert.deepEqual(bookings.list({ where: { open: true, cents: { from: 5 } } }), []);
  assert.deepEqual(bookings.list({ where: { open: true }, orderBy: "cents" }), []);
});

test("a live query calls back when its rows change, and is the same object in between", async (t) => {
  const { bookings } = await openBookings(t);
  const query = bookings.query({ where: { category: "food" }, orderBy: "date", limit: 2 });
  const seen: string[][] = [];
  const end = query.subscribe(() => seen.push(idsOf(query.getSnapshot().rows)));
  const first = query.getSnapshot();
  assert.deepEqual(first, { rows: [], isComplete: true });
  await idOf(bookings.create({ category: "rent", date: "2026-01-01" }, { id: "r" }));
  await idOf(bookings.create({ category: "food" }, { id: "undated" }));
  assert.equal(query.getSnapshot(), first);
  assert.deepEqual(seen, []);
  for (const day of [3, 2, 1]) {
    await idOf(bookings.create({ category: "food", date: `2026-01-0${day}` }, { id: String(day) }));
  }
  assert.deepEqual(seen.splice(0), [["3"], ["2", "3"], ["1", "2"]]);
  await idOf(bookings.patch("3", { cents: 5 }));
  assert.deepEqual(seen, []);
  await idOf(bookings.patch("2", { cents: 5 }));
  assert.equal(query.getSnapshot().rows[1]?.cents, 5);
  end();
  await idOf(bookings.remove("1"));
  assert.deepEqual([seen, idsOf(query.getSnapshot().rows)], [[["1", "2"]], ["2", "3"]]);
});

test("many queries at once all stay the same arrays", async (t) => {
  const { bookings } = await openBookings(t);
  await idOf(bookings.create({ category: "food", cents: 5 }));
  const queries = Array.from({ length: 100 }, (_, number) =>
    bookings.query({ where: { category: "food" }, limit: number + 1 }),
  );
  const snapshots = queries.map((query) => query.getSnapshot());
  assert.ok(queries.every((query, at) => query.getSnapshot() === snapshots[at]));
});
