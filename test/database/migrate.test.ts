import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { Database } from "../../src/database/database.ts";
import { createTables, isMigrated, listPending, migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { productStamp } from "../../src/database/product-stamp.ts";
import { runChild } from "./run-child.ts";
import { startPostgres } from "./start-postgres.ts";

const FIRST = { "001-start.sql": "create table a (id bigint);\ncreate table b (note text);\n" };
const SECOND = {
  "002-note.sqlite.sql": "insert into b (note) values ('sqlite; -- not a comment');",
  "002-note.postgres.sql": "insert into b (note) values ('postgres; -- not a comment');",
};
const THIRD = {
  "003-more.sql": "alter table a add column extra text; insert into a (id) values (3);",
};
const ALL = { ...FIRST, ...SECOND, ...THIRD };
const NAMES = ["001-start", "002-note", "003-more"];
const FOREIGN = /made by version .*, which was no release, .* cannot upgrade its tables of "test"/;

const apply = (database: Database, folder: URL, name = "test") =>
  migrate(database, [{ name, folder }]);

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`migrations on ${dialect}`, () => {
    test("are applied in order, once, and later ones follow", async (t) => {
      const { database, folder } = await openNew(t, FIRST);
      assert.deepEqual(await apply(database, folder), ["001-start"]);
      await writeAll(folder, ALL);
      assert.deepEqual(await apply(database, folder), ["002-note", "003-more"]);
      assert.deepEqual(await apply(database, folder), []);
      assert.deepEqual(await database.query("select note from b"), [
        { note: `${dialect}; -- not a comment` },
      ]);
      const recorded = await database.query<{ name: string; applied_at: number }>(
        "select name, applied_at from trellis_migration where scope = 'test' order by name",
      );
      assert.deepEqual(
        recorded.map(({ name }) => name),
        NAMES,
      );
      assert.ok(recorded.every((row) => Math.abs(Date.now() - row.applied_at) < 60_000));
    });

    test("have a part for both dialects, then one for each", async (t) => {
      const { database, folder } = await openNew(t, {
        ...FIRST,
        "001-start.sqlite.sql": "insert into b (note) values ('sqlite');",
        "001-start.postgres.sql": "insert into b (note) values ('postgres');",
      });
      assert.deepEqual(await apply(database, folder), ["001-start"]);
      assert.deepEqual(await database.query("select note from b"), [{ note: dialect }]);
    });

    test("of a new store are made at once, and recorded as in another", async (t) => {
      const whole = { "002-note.new.sql": "create table b (note text, made_at_once bigint);" };
      const { database, folder } = await openNew(t, { ...ALL, "003-more.sql": "", ...whole });
      await apply(database, folder);
      assert.deepEqual(await database.query("select made_at_once from b"), []);
      await assert.rejects(database.query("select id from a"));
      const other = await openNew(t, FIRST);
      await apply(other.database, other.folder);
      await writeAll(other.folder, { ...ALL, "003-more.sql": "", ...whole });
      await apply(other.database, other.folder);
      await assert.rejects(other.database.query("select made_at_once from b"));
      const recorded = "select name, checksum from trellis_migration order by name";
      assert.deepEqual(await database.query(recorded), await other.database.query(recorded));
    });

    test("of two scopes do not know each other", async (t) => {
      const { database, folder } = await openNew(t, FIRST);
      const other = await newFolder(t, { "001-start.sql": "create table c (id bigint)" });
      await apply(database, folder);
      assert.deepEqual(await apply(database, other, "other"), ["001-start"]);
      assert.deepEqual(await apply(database, folder), []);
    });

    test("that were changed afterwards are refused", async (t) => {
      const { database, folder } = await openNew(t, FIRST);
      await apply(database, folder);
      await writeAll(folder, { "001-start.sql": FIRST["001-start.sql"].replaceAll("\n", "\r\n") });
      assert.deepEqual(await apply(database, folder), [], "line ends are no change");
      await writeAll(folder, { "001-start.sql": `${FIRST["001-start.sql"]} ` });
      await assert.rejects(apply(database, folder), FOREIGN);
    });

    test("of a newer version are refused", async (t) => {
      const { database, folder } = await openNew(t, ALL);
      await apply(database, folder);
      const older = await newFolder(t, FIRST);
      await assert.rejects(
        apply(database, older),
        /newer than this program: version .* applied migration "003-more" of "test"/,
      );
    });

    test("that the store skipped are refused", async (t) => {
      const { database, folder } = await openNew(t, { ...FIRST, ...THIRD });
      await apply(database, folder);
      await writeAll(folder, ALL);
      await assert.rejects(apply(database, folder), FOREIGN);
    });

    test("that fail leave the store as it was, for the version that made it", async (t) => {
      const { database, folder } = await openNew(t, FIRST);
      await apply(database, folder);
      const good = { "002-good.sql": "create table d (id bigint);" };
      const bad = { "003-bad.sql": "create table e (id bigint); insert into nowhere values (1);" };
      await writeAll(folder, { ...good, ...bad });
      await assert.rejects(apply(database, folder), /nowhere/);
      for (const table of ["d", "e"])
        await assert.rejects(database.query(`select id from ${table}`));
      assert.deepEqual(await database.query("select name from trellis_migration"), [
        { name: "001-start" },
      ]);
      await writeAll(folder, { "003-bad.sql": "create table e (id bigint)" });
      assert.deepEqual(await apply(database, folder), ["002-good", "003-bad"]);
    });

    test("record the version that applied them", async (t) => {
      const { database, folder } = await openNew(t, ALL);
      await apply(database, folder);
      assert.deepEqual(await database.query("select distinct version from trellis_migration"), [
        { version: productStamp() },
      ]);
      await database.transaction((tx) =>
        tx.query("update trellis_migration set version = '7.8.9+0f0f0f0f' where name = '003-more'"),
      );
      const older = await newFolder(t, FIRST);
      await assert.rejects(
        listPending(database, [{ name: "test", folder: older }]),
        /version 7\.8\.9 \(build 0f0f0f0f\) applied migration "003-more" of "test", .*start that version/,
      );
    });

    test("that did not record their version are refused", async (t) => {
      const { database } = await openNew(t, {});
      await apply(database, await newFolder(t, { "001-test.sql": "create table c (id bigint)" }));
      const scope = { name: "test", folder: await newFolder(t, FIRST) };
      await assert.rejects(listPending(database, [scope]), FOREIGN);
      // The first versions did not record which one applied a migration.
      await database.transaction((tx) =>
        tx.script("alter table trellis_migration drop column version"),
      );
      const refused = /made by a version before 0\.2\.0, which was no release/;
      await assert.rejects(migrate(database, [scope]), refused);
    });

    test("make the tables of new scopes, but not beside an older one", async (t) => {
      const { database, folder } = await openNew(t, FIRST);
      const other = await newFolder(t, { "001-start.sql": "create table c (id bigint)" });
      const scopes = [
        { name: "test", folder },
        { name: "other", folder: other },
      ];
      await apply(database, folder);
      await writeAll(folder, ALL);
      await createTables(database, scopes);
      assert.equal(await isMigrated(database, "other"), false);
      assert.deepEqual(await listPending(database, scopes), ["002-note", "003-more"]);
      await apply(database, folder);
      await createTables(database, scopes);
      assert.equal(await isMigrated(database, "other"), true);
    });

    test("are applied once by four processes that start together", async (t) => {
      const { store, database, folder } = await openNew(t, ALL);
      const children = Array.from({ length: 4 }, () =>
        runChild("run-migrate.ts", [store, folder.href]),
      );
      const applied = await Promise.all(
        children.map(async ({ ending }) => JSON.parse(await ending) as string[]),
      );
      assert.deepEqual(applied.flat().toSorted(), NAMES);
      assert.deepEqual(await database.query("select id from a"), [{ id: 3 }]);
    });
  });

  async function openNew(t: TestContext, files: Readonly<Record<string, string>>) {
    const folder = await newFolder(t, files);
    const store = dialect === "sqlite" ? await newFile(t) : await newServerDatabase();
    const database = await openDatabase(store);
    t.after(() => database.close());
    assert.equal(database.dialect, dialect);
    return { database, folder, store };
  }
}

test("files that cannot be ordered are refused, with their names", async (t) => {
  const database = await openDatabase(await newFile(t));
  t.after(() => database.close());
  const refused: [Readonly<Record<string, string>>, RegExp][] = [
    [{ "1-start.sql": "" }, /"1-start.sql" is not called 001-name.sql/],
    [{ "001-a.sql": "", "001-b.sql": "" }, /Two migrations have the number 001: renumber "001-b"/],
    [{ "001-a.postgres.sql": "" }, /"001-a" has no file for sqlite/],
  ];
  for (const [files, message] of refused) {
    await assert.rejects(apply(database, await newFolder(t, files)), message);
  }
});

test("an invalid store is refused, and the message does not contain it", async () => {
  for (const store of [
    "",
    "mysql://me:s3cret@host/db",
    "s3cret.db",
    "sqlite:",
    "sqlite::memory:",
  ]) {
    await assert.rejects(openDatabase(store), (error: Error) => !error.message.includes("s3cret"));
  }
});

async function newFile(t: TestContext): Promise<string> {
  return `sqlite:${join(await newTemporary(t), "store.db")}`;
}

async function newServerDatabase(): Promise<string> {
  return (await startPostgres()).createDatabase();
}

async function newFolder(t: TestContext, files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = pathToFileURL(`${await newTemporary(t)}/`);
  await writeAll(folder, files);
  return folder;
}

async function writeAll(folder: URL, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text);
}

async function newTemporary(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-migrate-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
