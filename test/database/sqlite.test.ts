import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { StorageUnavailableError, type Database } from "../../src/database/database.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import type { SqliteOptions } from "../../src/database/sqlite.ts";
import { testDatabaseContract } from "./database-contract.ts";
import { runChild } from "./run-child.ts";
import { createTriples, readTriples } from "./triples.ts";
import { write } from "./write.ts";

testDatabaseContract("SQLite", async (t) => {
  const path = await newPath(t);
  return { open: (options) => openSqlite(path, options) };
});

test("transactions that wait together share one commit", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  const framesBefore = await countFrames(path);
  await Promise.all(
    Array.from({ length: 60 }, (_, number) =>
      write(database, "insert into triple (writer, number, part) values ('w', $1, 1)", [number]),
    ),
  );
  // Alone, every commit writes at least the page of the table and the one of its index.
  const frames = (await countFrames(path)) - framesBefore;
  assert.ok(frames < 60, `${frames} pages written`);
});

test("a statement that ends the whole transaction fails those before it, not those after", async (t) => {
  const { database } = await openNew(t);
  await createTriples(database);
  const insert = (number: number, verb = "insert") =>
    database.transaction((tx) =>
      tx.query(`${verb} into triple (writer, number, part) values ('w', $1, 1)`, [number]),
    );
  await insert(0);
  const results = await Promise.allSettled([insert(1), insert(0, "insert or rollback"), insert(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  assert.ok(results[0].status === "rejected");
  assert.ok(results[0].reason instanceof StorageUnavailableError);
  assert.deepEqual((await readTriples(database)).get("w")?.numbers, [0, 2]);
});

test("the write-ahead log shrinks again after a reader that stalled", async (t) => {
  const path = await newPath(t);
  const database = await openSqlite(path, { streamIdleTimeoutMs: 1500 });
  t.after(() => database.close());
  await createTriples(database);
  await database.transaction((tx) => tx.script("create table block (id integer, bytes blob)"));
  const writeBlock = (id: number) =>
    write(database, "insert into block values ($1, $2)", [id, new Uint8Array(2 ** 21)]);
  const logBytes = async () => (await stat(`${path}-wal`)).size;
  await writeBlock(0);
  // The reader stalls when the test says so, however long the writes take.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stream = database.stream("select id from block")[Symbol.asyncIterator]();
  await stream.next();
  for (let id = 1; id <= 12; id++) await writeBlock(id);
  assert.ok((await logBytes()) > 24 * 2 ** 20, "a snapshot keeps the log");
  t.mock.timers.tick(1500);
  for (let id = 13; id <= 15; id++) await writeBlock(id);
  assert.ok((await logBytes()) <= 16 * 2 ** 20, `${await logBytes()} bytes`);
  await assert.rejects(stream.next(), /a reader stalled for too long/);
});

test("only the owner may read the file and its folder", async (t) => {
  const folder = join(await newPath(t), "..", "deeper", "data");
  const path = join(folder, "store.db");
  const database = await openSqlite(path);
  t.after(() => database.close());
  await createTriples(database);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  }
});

test("every write is synced before it is acknowledged", async (t) => {
  const { database } = await openNew(t);
  const settings = await database.transaction(async (tx) => ({
    synchronous: await tx.query("pragma synchronous"),
    journal: await tx.query("pragma journal_mode"),
    foreignKeys: await tx.query("pragma foreign_keys"),
  }));
  assert.deepEqual(settings, {
    synchronous: [{ synchronous: 2 }],
    journal: [{ journal_mode: "wal" }],
    foreignKeys: [{ foreign_keys: 1 }],
  });
});

test("only a transaction that may be lost does not wait for the disk", async (t) => {
  const { database } = await openNew(t);
  const readLevel = (mayBeLost: boolean) =>
    database.transaction((tx) => tx.query("pragma synchronous"), { mayBeLost });
  // https://www.sqlite.org/pragma.html#pragma_synchronous: 1 is normal, 2 is full.
  assert.deepEqual(await readLevel(true), [{ synchronous: 1 }]);
  assert.deepEqual(await readLevel(false), [{ synchronous: 2 }]);
});

test("a store in memory is refused", async () => {
  await assert.rejects(openSqlite(":memory:"), /needs the path of a file/);
  await assert.rejects(openSqlite(""), /needs the path of a file/);
});

test("a full disk fails writes that do not fit, keeps acknowledged ones, and recovers", async (t) => {
  const { database } = await openNew(t);
  await createTriples(database);
  await database.transaction((tx) => tx.query("pragma max_page_count = 40"));
  const kept: number[] = [];
  const writeRow = (number: number, size: number) =>
    write(database, "insert into triple (writer, number, part, body) values ('w', $1, 1, $2)", [
      number,
      "x".repeat(size),
    ]);
  let refused = 0;
  for (let round = 0; round < 30; round++) {
    const numbers = [0, 1, 2, 3].map((index) => round * 4 + index);
    const results = await Promise.allSettled(numbers.map((number) => writeRow(number, 5000)));
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") kept.push(numbers[index] ?? -1);
      else {
        refused++;
        assert.ok(result.reason instanceof StorageUnavailableError, String(result.reason));
        assert.match(result.reason.message, /the disk is full/);
      }
    }
  }
  assert.ok(kept.length > 5 && refused > 60, `${kept.length} kept, ${refused} refused`);
  assert.deepEqual((await readTriples(database)).get("w")?.numbers, kept);
  assert.deepEqual(await integrityErrors(database), []);
  await database.transaction((tx) => tx.query("pragma max_page_count = 4000"));
  await writeRow(1000, 5000);
});

test("a transaction waits for a locked file without blocking the process, then gives up", async (t) => {
  const { database, path } = await openNew(t, { busyTimeoutMs: 400 });
  await createTriples(database);
  const holder = runChild("hold-lock.ts", [path]);
  await holder.started;
  let turns = 0;
  const ticking = setInterval(() => turns++, 5);
  const startedAt = performance.now();
  const insert = () =>
    write(database, "insert into triple (writer, number, part) values ('w', 1, 1)");
  const refused = await insert().catch((error: unknown) => error);
  clearInterval(ticking);
  assert.ok(refused instanceof StorageUnavailableError);
  assert.match(refused.message, /locked by another process/);
  assert.ok(!refused.message.includes(path));
  assert.ok(performance.now() - startedAt < 2000);
  assert.ok(turns > 15, `${turns} turns`);
  assert.deepEqual(await database.query("select number from triple"), [], "reading goes on");
  const patient = insert();
  holder.process.stdin?.end();
  await patient;
  await holder.ending;
});

test("a read-only store fails writes with that reason, and can be read", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  await database.transaction((tx) => tx.query("pragma query_only = on"));
  const inserted = write(database, "insert into triple (writer, number, part) values ('w', 1, 1)");
  const refused: unknown = await inserted.catch((error) => error);
  assert.ok(refused instanceof StorageUnavailableError, String(refused));
  assert.match(refused.message, /it is read-only/);
  assert.ok(!refused.message.includes(path));
  assert.deepEqual(await database.query("select number from triple"), []);
});

test("a file that is no database or cannot be opened is not available", async (t) => {
  const path = await newPath(t);
  await writeFile(path, "x".repeat(5000));
  await assert.rejects(openSqlite(path), (error: Error) => {
    assert.ok(error instanceof StorageUnavailableError);
    assert.match(error.message, /not a database/);
    return !error.message.includes(path);
  });
  await assert.rejects(openSqlite(join(path, "below-a-file.db")), (error: Error) => {
    assert.ok(error instanceof StorageUnavailableError);
    return !error.message.includes(path);
  });
});

test("damage is found", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  for (let number = 0; number < 50; number++) {
    await write(
      database,
      "insert into triple (writer, number, part, body) values ('w', $1, 1, $2)",
      [number, "x".repeat(900)],
    );
  }
  assert.deepEqual(await integrityErrors(database), []);
  await database.close();
  const bytes = await readFile(path);
  bytes.fill(0xab, 4096 * 3, 4096 * 5);
  await writeFile(path, bytes);
  const damaged = await openSqlite(path);
  t.after(() => damaged.close());
  const problems = await integrityErrors(damaged).catch((error: unknown) => error);
  if (Array.isArray(problems)) assert.ok(problems.length > 0);
  else assert.ok(problems instanceof StorageUnavailableError);
});

test("a backup during writes is whole and can be opened as a store", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  const writer = runChild("write-triples.ts", [`sqlite:${path}`, "other", "4"]);
  await writer.started;
  await wait(100);
  const target = join(path, "..", "backup.db");
  await database.backupTo(target);
  await assert.rejects(database.backupTo(target), /exists already/);
  writer.process.kill("SIGKILL");
  const acknowledged = (await writer.ending).trim().split("\n").length;
  const backup = await openSqlite(target);
  t.after(() => backup.close());
  assert.deepEqual(await integrityErrors(backup), []);
  const triples = (await readTriples(backup)).get("other");
  assert.equal(triples?.areWhole, true);
  assert.ok(triples.numbers.length > 0 && triples.numbers.length <= acknowledged + 4);
  assert.equal((await stat(target)).mode & 0o777, 0o600);
});

test("two processes write to one file and neither is starved", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  const names = ["a", "b"];
  const startedAt = performance.now();
  const children = names.map((name) =>
    runChild("write-triples.ts", [`sqlite:${path}`, name, "8", "400"]),
  );
  await Promise.all(children.map(({ ending }) => ending));
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`);
  const triples = await readTriples(database);
  for (const name of names) {
    assert.equal(triples.get(name)?.numbers.length, 400);
    assert.equal(triples.get(name)?.areWhole, true);
  }
});

test("a process killed while it commits leaves whole transactions, all it acknowledged", async (t) => {
  const { database, path } = await openNew(t);
  await createTriples(database);
  await database.close();
  let total = 0;
  for (let round = 0; round < 8; round++) {
    const name = `writer-${round}`;
    const child = runChild("write-triples.ts", [`sqlite:${path}`, name, "6"]);
    await child.started;
    await wait(Math.random() * 60);
    child.process.kill("SIGKILL");
    const lines = (await child.ending).split("\n").slice(0, -1).map(Number);
    const after = await openSqlite(path);
    assert.deepEqual(await integrityErrors(after), []);
    const triples = (await readTriples(after)).get(name);
    await after.close();
    assert.equal(triples?.areWhole, true);
    const stored = new Set(triples.numbers);
    assert.deepEqual(
      lines.filter((number) => !stored.has(number)),
      [],
    );
    total += lines.length;
  }
  t.diagnostic(`${total} acknowledged`);
  assert.ok(total > 8);
});

async function openNew(t: TestContext, options?: SqliteOptions) {
  const path = await newPath(t);
  const database = await openSqlite(path, options);
  t.after(() => database.close());
  return { database, path };
}

async function newPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-sqlite-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

async function integrityErrors(database: Database): Promise<string[]> {
  const found = await database.query<{ integrity_check: string }>("pragma integrity_check");
  const orphans = await database.query<{ table: string }>("pragma foreign_key_check");
  return [
    ...found.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans.map((row) => `a row of ${row.table} refers to one that does not exist`),
  ];
}

/** https://www.sqlite.org/fileformat.html#the_write_ahead_log: a header, then page and header each. */
async function countFrames(path: string): Promise<number> {
  return ((await stat(`${path}-wal`)).size - 32) / (4096 + 24);
}
