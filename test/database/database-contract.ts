/** The tests that every driver of the database port must pass. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { ConstraintError, StorageUnavailableError } from "../../src/database/database.ts";
import type { CommitWatch, Database, Transaction } from "../../src/database/database.ts";
import type { RowSet } from "../../src/database/database.ts";
import { write } from "./write.ts";

export interface StoreOptions {
  readonly idleTimeoutMs?: number;
  readonly streamIdleTimeoutMs?: number;
}

export interface Store {
  /** Opens it once more, as another process would. */
  open(options?: StoreOptions): Promise<Database>;
}

const SECRET = "s3cret-value";

export function testDatabaseContract(
  name: string,
  createStore: (t: TestContext) => Promise<Store>,
): void {
  async function openNew(t: TestContext, options?: StoreOptions) {
    const store = await createStore(t);
    const database = await store.open(options);
    t.after(() => database.close());
    const bytes = database.dialect === "sqlite" ? "blob" : "bytea";
    await database.transaction((tx) =>
      tx.script(`
        create table item (id bigint primary key, label text unique, bytes ${bytes}, parent bigint
          references item (id) deferrable initially deferred, check (id >= 0));
        create table counter (name text primary key, value bigint not null);
        insert into counter (name, value) values ('c', 0);
      `),
    );
    return { store, database };
  }

  describe(name, () => {
    test("values are read as they were written", async (t) => {
      const { database } = await openNew(t);
      const label = "Grüße, 'quoted' \"double\" $1 \\ 👋\n";
      const bytes = Uint8Array.from([0, 1, 127, 128, 255]);
      await write(database, "insert into item (id, label, bytes) values ($1, $2, $3)", [
        Number.MAX_SAFE_INTEGER,
        label,
        bytes,
      ]);
      const rows = await database.query(
        "select id, label, bytes, parent, id > $2 as big, exists (select 1 from item where id = $2) as small, '$1' as text from item where label = $1",
        [label, 5],
      );
      const expected = { id: Number.MAX_SAFE_INTEGER, label, bytes, parent: null };
      assert.deepEqual(rows, [{ ...expected, big: 1, small: 0, text: "$1" }]);
      const [sum] = await database.query("select sum(value) as sum, count(*) as n from counter");
      assert.deepEqual(sum, { sum: 0, n: 1 });
    });

    test("integers are stored as integers, also where no column declares it", async (t) => {
      const { database } = await openNew(t);
      await write(database, "insert into item (id, label) values ($1, cast($2 as text))", [7, 7]);
      assert.deepEqual(await database.query("select label from item"), [{ label: "7" }]);
    });

    test("a transaction whose work throws leaves nothing", async (t) => {
      const { database } = await openNew(t);
      const work = async (tx: Transaction) => {
        await addItem(tx, 1);
        await addItem(tx, 2);
        throw new Error("changed my mind");
      };
      await assert.rejects(database.transaction(work), /changed my mind/);
      assert.deepEqual(await readIds(database), []);
      await database.transaction((tx) => addItem(tx, 1));
      assert.deepEqual(await readIds(database), [1]);
    });

    test("a failed statement ends the transaction, even when the work catches the error", async (t) => {
      const { database } = await openNew(t);
      const result = database.transaction(async (tx) => {
        await addItem(tx, 1);
        await addItem(tx, 1).catch(() => {});
        await addItem(tx, 2).catch(() => {});
        return "all is well";
      });
      await assert.rejects(result, ConstraintError);
      assert.deepEqual(await readIds(database), []);
    });

    test("work may replace the error of a violated constraint by its own", async (t) => {
      const { database } = await openNew(t);
      const result = database.transaction(async (tx) => {
        await addItem(tx, 1);
        await addItem(tx, 1).catch(() => {
          throw new Error("taken");
        });
      });
      await assert.rejects(result, /^Error: taken$/);
    });

    test("a transaction that fails does not fail those that wait with it", async (t) => {
      const { database } = await openNew(t);
      const ids = Array.from({ length: 40 }, (_, index) => index);
      const results = await Promise.allSettled(
        ids.map((id) =>
          database.transaction(async (tx) => {
            await addItem(tx, id);
            if (id % 5 === 3) throw new Error(`no ${id}`);
            if (id % 5 === 4) await addItem(tx, id);
            return id;
          }),
        ),
      );
      const kept = ids.filter((id) => id % 5 < 3);
      assert.deepEqual(await readIds(database), kept);
      const values = results.filter((result) => result.status === "fulfilled");
      assert.deepEqual(
        values.map((result) => result.value),
        kept,
      );
      assert.ok(results[4]?.status === "rejected");
      assert.ok(results[4].reason instanceof ConstraintError);
    });

    test("a deferred constraint fails only the transaction that violates it", async (t) => {
      const { database } = await openNew(t);
      const results = await Promise.allSettled(
        [1, 2, 3, 4].map((id) =>
          database.transaction((tx) =>
            tx.query("insert into item (id, parent) values ($1, $2)", [id, id === 3 ? 99 : null]),
          ),
        ),
      );
      assert.deepEqual(
        results.map((result) => result.status),
        ["fulfilled", "fulfilled", "rejected", "fulfilled"],
      );
      assert.ok(results[2]?.status === "rejected");
      assert.ok(results[2].reason instanceof ConstraintError);
      assert.equal(results[2].reason.kind, "foreign key");
      assert.deepEqual(await readIds(database), [1, 2, 4]);
    });

    test("writers exclude each other: no value is stale when it is written", async (t) => {
      const { store, database } = await openNew(t);
      const other = await store.open();
      t.after(() => other.close());
      const increments = Array.from({ length: 120 }, (_, index) =>
        (index % 2 === 0 ? database : other).transaction(async (tx) => {
          const [row] = await tx.query<{ value: number }>("select value from counter");
          await nextTurn();
          await tx.query("update counter set value = $1", [(row?.value ?? 0) + 1]);
        }),
      );
      await Promise.all(increments);
      assert.deepEqual(await database.query("select value from counter"), [{ value: 120 }]);
    });

    test("transactions resolve in the order of their commits", async (t) => {
      const { database } = await openNew(t);
      const resolved: number[] = [];
      const next = async () => {
        const id = await database.transaction(async (tx) => {
          const [row] = await tx.query<{ id: number }>(
            "insert into item (id) select coalesce(max(id), 0) + 1 from item returning id",
          );
          return row?.id ?? 0;
        });
        resolved.push(id);
        // An acknowledged write is visible to every reader.
        assert.deepEqual(await database.query("select id from item where id = $1", [id]), [{ id }]);
      };
      await Promise.all(Array.from({ length: 150 }, next));
      assert.deepEqual(
        resolved,
        Array.from({ length: 150 }, (_, index) => index + 1),
      );
    });

    test("readers neither wait for a writer nor see what it has not committed", async (t) => {
      const { database } = await openNew(t);
      const inside = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const writing = database.transaction(async (tx) => {
        await addItem(tx, 1);
        inside.resolve();
        await release.promise;
        assert.deepEqual(await tx.query("select id from item"), [{ id: 1 }]);
      });
      await inside.promise;
      assert.deepEqual(await readIds(database), []);
      release.resolve();
      await writing;
      assert.deepEqual(await readIds(database), [1]);
    });

    test("an idle transaction is rolled back, and the next one runs", async (t) => {
      const { database } = await openNew(t, { idleTimeoutMs: 150 });
      const late = Promise.withResolvers<void>();
      let afterwards: Promise<unknown> | null = null;
      const forgotten = database.transaction(async (tx) => {
        await addItem(tx, 1);
        await late.promise;
        afterwards = addItem(tx, 2);
        await afterwards;
      });
      const next = database.transaction((tx) => addItem(tx, 3));
      await assert.rejects(forgotten, StorageUnavailableError);
      await next;
      late.resolve();
      await nextTurn();
      await assert.rejects(async () => afterwards, /This transaction is over/);
      assert.deepEqual(await readIds(database), [3]);
    });

    test("a transaction that is not idle may take longer than the idle timeout", async (t) => {
      const { database } = await openNew(t, { idleTimeoutMs: 150 });
      await database.transaction(async (tx) => {
        for (let id = 0; id < 8; id++) {
          await addItem(tx, id);
          await wait(50);
        }
      });
      assert.equal((await readIds(database)).length, 8);
    });

    test("constraint errors have a kind and contain no values", async (t) => {
      const { database } = await openNew(t);
      await write(database, "insert into item (id, label) values (1, $1)", [SECRET]);
      const kindOf = async (sql: string) => {
        const error: unknown = await write(database, sql, [SECRET]).catch((error) => error);
        assert.ok(error instanceof ConstraintError, String(error));
        assertSilent(error);
        return error.kind;
      };
      assert.equal(await kindOf("insert into item (id, label) values (2, $1)"), "unique");
      assert.equal(await kindOf("insert into item (id, label) values (1, $1 || 'x')"), "unique");
      assert.equal(await kindOf("insert into item (id, label) values (-1, $1 || 'x')"), "check");
      assert.equal(await kindOf("insert into counter (name, value) values ($1, null)"), "not null");
      const orphan = "insert into item (id, label, parent) values (3, $1 || 'y', 42)";
      assert.equal(await kindOf(orphan), "foreign key");
    });

    test("the error of an invalid statement contains no values", async (t) => {
      const { database } = await openNew(t);
      const wrong = [
        "select nonsense from item where label = $1",
        "selec $1",
        "select label from item where label = $1; select 2",
      ];
      for (const sql of wrong) {
        const error: unknown = await database.query(sql, [SECRET]).catch((error) => error);
        assert.ok(error instanceof Error, sql);
        assert.ok(!(error instanceof StorageUnavailableError), String(error));
        assertSilent(error);
      }
      assert.deepEqual(await readIds(database), []);
    });

    test("a statement that writes fails outside a transaction, and writes nothing", async (t) => {
      const { database } = await openNew(t);
      const rows: RowSet = { columns: { id: "integer" }, rows: [[1], [2]] };
      for (const attempt of [
        () => database.query("insert into item (id) values (1)"),
        () => database.queryRows("insert into item (id) select r.id from {rows} as r", rows),
      ]) {
        await assert.rejects(attempt, /^Error: A statement outside a transaction cannot write$/);
      }
      assert.deepEqual(await readIds(database), []);
    });

    test("of many who delete one row, one gets it", async (t) => {
      const { store, database } = await openNew(t);
      const other = await store.open();
      t.after(() => other.close());
      await write(database, "insert into item (id) values (1)");
      const consume = "delete from item where id = $1 returning id";
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          write(index % 2 === 0 ? database : other, consume, [1]),
        ),
      );
      assert.equal(results.flat().length, 1);
    });

    test("many rows are written and looked up as a table", async (t) => {
      const { database } = await openNew(t);
      const rows: RowSet = {
        columns: { id: "integer", label: "text", bytes: "binary" },
        rows: Array.from({ length: 106 }, (_, id) => [
          id,
          id === 7 ? null : `{"n":"${id}"}`,
          Uint8Array.of(id, 255),
        ]),
      };
      const insert =
        "insert into item (id, label, bytes) select r.id + $1, r.label || $2, r.bytes from {rows} as r where true on conflict (id) do nothing returning id";
      const first = await database.transaction((tx) => tx.queryRows(insert, rows, [1000, "!"]));
      assert.equal(first.length, 106);
      const insertAgain = (set: RowSet) =>
        database.transaction((tx) => tx.queryRows(insert, set, [1000, "!"]));
      assert.deepEqual(await insertAgain(rows), []);
      const found = await database.queryRows(
        "select r.id, item.label, item.bytes from {rows} as r join item on item.id = r.id + $1 where r.id in (6, 7)",
        rows,
        [1000],
      );
      assert.deepEqual(
        found.toSorted((a, b) => Number(a["id"]) - Number(b["id"])),
        [
          { id: 6, label: '{"n":"6"}!', bytes: Uint8Array.of(6, 255) },
          { id: 7, label: null, bytes: Uint8Array.of(7, 255) },
        ],
      );
      assert.deepEqual(await insertAgain({ ...rows, rows: [] }), []);
      await assert.rejects(database.queryRows("select 1", rows), /needs \{rows\}/);
    });

    test("a row may have any text, and an empty one alone", async (t) => {
      const { database } = await openNew(t);
      const controls = Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1));
      const texts = ["\u001E0", "\u001E", "0\u001F", "\u001E1\u001F", '{a,"b\\', "NULL", "🌱"];
      for (const labels of [[""], [null], ["", null, ""], [controls.join("")], texts]) {
        const found = await database.queryRows<{ id: number; label: string | null }>(
          "select r.id, r.label from {rows} as r",
          {
            columns: { id: "integer", label: "text" },
            rows: labels.map((label, id) => [id, label]),
          },
        );
        const inOrder = found.toSorted((a, b) => a.id - b.id).map(({ label }) => label);
        assert.deepEqual(inOrder, labels);
      }
    });

    test("a stream is a snapshot of the moment it began", async (t) => {
      const { database } = await openNew(t);
      await addMany(database, 5000);
      const seen: number[] = [];
      for await (const { id } of database.stream<{ id: number }>(
        "select id from item where id >= $1 order by id",
        [10],
      )) {
        if (seen.length === 0) await write(database, "delete from item where id >= 2000");
        seen.push(id);
      }
      assert.equal(seen.length, 4990);
      assert.equal((await readIds(database)).length, 2000);
    });

    test("a stream does not block the event loop", async (t) => {
      const { database } = await openNew(t);
      await addMany(database, 5000);
      let turns = 0;
      const ticking = setInterval(() => turns++, 1);
      let rows = 0;
      const cross = "select a.id from item a, item b where b.id < 40";
      for await (const _ of database.stream(cross)) rows++;
      clearInterval(ticking);
      assert.equal(rows, 200_000);
      assert.ok(turns >= 10, `${turns} turns`);
    });

    test("streams of different columns can follow one another", async (t) => {
      const { database } = await openNew(t);
      const all = async (sql: string) => {
        const rows: unknown[] = [];
        for await (const row of database.stream(sql)) rows.push(row);
        return rows;
      };
      for (let round = 0; round < 3; round++) {
        assert.deepEqual(await all("select 1 as a"), [{ a: 1 }]);
        assert.deepEqual(await all("select 1 as a, 'two' as b, 3 as c"), [
          { a: 1, b: "two", c: 3 },
        ]);
      }
    });

    test("streams that are left early release their connections", async (t) => {
      const { database } = await openNew(t);
      await addMany(database, 2000);
      // More than there are connections.
      for (let round = 0; round < 12; round++) {
        for await (const _ of database.stream("select id from item")) break;
      }
      const failing = (async () => {
        for await (const _ of database.stream("select id from item")) throw new Error("enough");
      })();
      await assert.rejects(failing, /enough/);
      await assert.rejects(async () => {
        for await (const _ of database.stream("select nonsense")) assert.fail();
      }, /nonsense/);
      await database.transaction((tx) => tx.script("drop table item"));
    });

    test("a stream whose consumer stalls ends, and one that is slow does not", async (t) => {
      const { database } = await openNew(t, { streamIdleTimeoutMs: 800 });
      await addMany(database, 1500);
      const open = () => database.stream("select id from item")[Symbol.asyncIterator]();
      // More than there are connections: those of ended streams are free again.
      const stalled = Array.from({ length: 4 }, open);
      for (const stream of stalled) await stream.next();
      await wait(1200);
      const slow = open();
      let rows = 0;
      for (let item = await slow.next(); item.done !== true; item = await slow.next()) {
        if (++rows % 300 === 0) await wait(100);
      }
      assert.equal(rows, 1500);
      for (const stream of stalled) {
        await assert.rejects(async () => {
          while ((await stream.next()).done !== true);
        }, StorageUnavailableError);
        assert.equal((await stream.next()).done, true);
      }
      const abandoned = open();
      await abandoned.next();
      await wait(1200);
      await abandoned.return?.();
      await database.transaction((tx) => tx.script("drop table item"));
    });

    test("a watch tells of a commit of this process and of another, until it is closed", async (t) => {
      const { store, database } = await openNew(t);
      const other = await store.open();
      t.after(() => other.close());
      const watched = watchCommits(database);
      await watched.settle();
      const delays: number[] = [];
      for (const [id, writer] of [other, database, other].entries()) {
        delays.push(await assertNoticed(watched, () => commitAndNotify(writer, id)));
      }
      assert.ok(Math.min(...delays) < 250, `noticed after ${delays.join(", ")} ms`);
      await watched.watch.close();
      const { count } = watched;
      await commitAndNotify(other, 9);
      await wait(300);
      assert.equal(watched.count, count, "a closed watch tells nothing");
    });

    test("closing finishes queued transactions, refuses new ones and ends streams", async (t) => {
      const { store, database } = await openNew(t);
      await addMany(database, 2000);
      const stream = database.stream("select id from item")[Symbol.asyncIterator]();
      await stream.next();
      const written = Promise.all(
        [5000, 5001, 5002].map((id) =>
          database.transaction(async (tx) => {
            await nextTurn();
            await addItem(tx, id);
          }),
        ),
      );
      const closing = database.close();
      await assert.rejects(
        database.transaction((tx) => addItem(tx, 6000)),
        StorageUnavailableError,
      );
      await written;
      await closing;
      await database.close();
      await assert.rejects(database.query("select 1"), StorageUnavailableError);
      await assert.rejects(async () => {
        while (!(await stream.next()).done);
      }, StorageUnavailableError);
      const again = await store.open();
      t.after(() => again.close());
      assert.equal((await readIds(again)).length, 2003);
    });
  });
}

interface WatchedCommits {
  readonly count: number;
  readonly watch: CommitWatch;
  /** Waits until it tells nothing more. */
  settle(): Promise<void>;
}

export function watchCommits(database: Database): WatchedCommits {
  let count = 0;
  const watch = database.watch("items", () => count++);
  return {
    get count() {
      return count;
    },
    watch,
    async settle() {
      for (let before = -1; before !== count;) {
        before = count;
        await wait(300);
      }
    },
  };
}

/** Returns after how many milliseconds. A machine with much to do may be late now and then. */
export async function assertNoticed(
  watched: WatchedCommits,
  commit: () => Promise<unknown>,
): Promise<number> {
  const { count } = watched;
  await commit();
  const committedAt = performance.now();
  while (watched.count === count) {
    assert.ok(performance.now() - committedAt < 2000, "it was not noticed in time");
    await wait(5);
  }
  return performance.now() - committedAt;
}

export async function commitAndNotify(database: Database, id: number): Promise<void> {
  await database.transaction(async (tx) => {
    await addItem(tx, id);
    tx.notify("items");
  });
}

export function addItem(tx: Transaction, id: number): Promise<unknown> {
  return tx.query("insert into item (id) values ($1)", [id]);
}

async function addMany(database: Database, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, id) => [id]);
  await database.transaction((tx) =>
    tx.queryRows("insert into item (id) select r.id from {rows} as r", {
      columns: { id: "integer" },
      rows,
    }),
  );
}

async function readIds(database: Database): Promise<number[]> {
  const rows = await database.query<{ id: number }>("select id from item order by id");
  return rows.map(({ id }) => id);
}

/** No property of an error, enumerable or not, contains a value. */
function assertSilent(error: Error): void {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    for (const key of Reflect.ownKeys(at)) {
      const text = shown(Reflect.get(at, key));
      assert.ok(!text.includes(SECRET), `${String(key)}: ${text}`);
    }
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify([value]);
}
