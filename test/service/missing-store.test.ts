/** Commands that need a store, on a machine that does not have it: they say so and create nothing. */
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openDatabase } from "../../src/database/open-database.ts";
import { STORE_KINDS } from "../database/on-both-stores.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createAccount } from "./create-account.ts";

const READERS = {
  sync: ["status", "devices list", "export out.json", "backup out.backup"],
  events: [
    "status",
    "account list",
    "grants list",
    "subscriptions list",
    "subscribe https://example.com/a.ics --account ada --preview",
    "backup out.backup",
  ],
} as const;
const WRITERS = {
  sync: ["compact", "devices revoke --all", "account password --password-stdin"],
  events: [
    "refresh",
    "unsubscribe some-id",
    "grants revoke some-id",
    "import events.json --account ada",
    "subscribe https://example.com/a.ics --account ada",
    "account password --username ada --password-stdin",
  ],
} as const;
const SERVICES = ["sync", "events"] as const;
const ADA = { username: "ada", password: "correct horse battery" };

async function createFolder(t: TestContext, settings: object) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-missing-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  await writeFile(join(folder, "events.json"), "[]");
  const run = (words: string) =>
    runInside(
      folder,
      words.split(" ").map((word) => (/^(out|events)\./.test(word) ? join(folder, word) : word)),
      { input: ADA.password },
    );
  const list = async () => (await readdir(folder, { recursive: true })).toSorted();
  return { folder, run, list };
}

for (const service of SERVICES) {
  test(`${service}: commands without a store say that it is missing and create nothing`, async (t) => {
    const { folder, run, list } = await createFolder(t, { [service]: {} });
    const before = await list();
    for (const words of [...READERS[service], ...WRITERS[service]]) {
      const { code, stdout, stderr } = await run(`${service} ${words}`);
      assert.deepEqual([code, stdout], [1, ""], words);
      const path = join(folder, "data", `${service}.db`);
      assert.ok(stderr.startsWith(`There is no ${service} store at "${path}": `), stderr);
      assert.ok(stderr.includes(`\`trellis ${service} account create --username NAME\``), stderr);
      assert.deepEqual(await list(), before, words);
    }
  });

  test(`${service}: a restore that is refused creates nothing`, async (t) => {
    const { folder, run, list } = await createFolder(t, { [service]: {} });
    const elsewhere = await createFolder(t, { [service]: {} });
    await createAccount(elsewhere.folder, service, ADA);
    await elsewhere.run(`${service} backup out.backup`);
    await copyFile(join(elsewhere.folder, "out.backup"), join(folder, "out.backup"));
    const before = await list();
    for (const [file, reason] of [
      ["out.missing", /no such file/],
      ["events.json", /The backup is not valid, nothing was changed: /],
      ["out.backup", /Nothing was changed: restore with the instance key/],
    ] as const) {
      const { code, stdout, stderr } = await run(`${service} restore ${file} --yes`);
      assert.deepEqual([code, stdout], [1, ""], file);
      assert.match(stderr, reason);
      assert.deepEqual(await list(), before, file);
    }
  });

  test(`${service}: commands on a PostgreSQL database without tables create none`, async (t) => {
    const store = await (await startPostgres()).createDatabase();
    const { run, list } = await createFolder(t, { [service]: { store } });
    const before = await list();
    for (const words of [...READERS[service], ...WRITERS[service]]) {
      const { code, stderr } = await run(`${service} ${words}`);
      assert.equal(code, 1, words);
      assert.match(stderr, new RegExp(`^The database has no tables of the ${service} service: `));
      assert.deepEqual(await list(), before, words);
    }
    const database = await openDatabase(store);
    t.after(() => database.close());
    // By the tables of leases, a command finds out whether it is alone.
    const tables = `SELECT 1 AS found FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('trellis_head', 'trellis_process', 'trellis_lease')`;
    assert.deepEqual(await database.query(tables), []);
  });

  test(`${service}: commands that only read create neither a missing key nor a missing data folder`, async (t) => {
    const { folder, run, list } = await createFolder(t, { [service]: {} });
    await createAccount(folder, service, ADA);
    await mkdir(join(folder, "moved"));
    for (const suffix of ["", ".lock"]) {
      const name = `${service}.db${suffix}`;
      await copyFile(join(folder, "data", name), join(folder, "moved", name));
    }
    await rm(join(folder, "data"), { recursive: true });
    const settings = { [service]: { store: `sqlite:./moved/${service}.db` } };
    await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
    const before = await list();
    const key = join(folder, "data", "instance.key");
    const readers = READERS[service].filter((word) => !/out\.|preview/.test(word));
    for (const words of [...readers, "backup out.backup"]) {
      const { code, stderr } = await run(`${service} ${words}`);
      assert.equal(code, 1, words);
      assert.ok(stderr.startsWith(`There is no instance key at "${key}", but the `), stderr);
      assert.deepEqual(await list(), before, words);
    }
  });
}

for (const service of SERVICES) {
  for (const kind of STORE_KINDS) {
    test(`${service}: a store that is lost is never made anew (${kind})`, async (t) => {
      const server = kind === "SQLite" ? null : await startPostgres();
      const configure = async (folder: string) => {
        const store = (await server?.createDatabase()) ?? "sqlite:./data/own.db";
        const settings = { [service]: { listen: { port: 0 }, store } };
        await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
      };
      const { folder, run, list } = await createFolder(t, {});
      await configure(folder);
      const create = `${service} account create --username ada --password-stdin`;
      await createAccount(folder, service, ADA);
      assert.equal((await run(`${service} backup out.backup`)).code, 0);
      // The disk with the database is gone, or the address is that of another database.
      for (const name of await readdir(join(folder, "data"))) {
        if (name.startsWith("own.db")) await rm(join(folder, "data", name));
      }
      await configure(folder);
      const before = await list();
      const mark = join(folder, "data", `${service}.highwater`);
      for (const words of [create, `${service} status`, "serve"]) {
        const { code, stdout, stderr } = await run(words);
        assert.deepEqual([code, stdout], [1, ""], words);
        assert.match(stderr, /^(There is no \w+ store at "|The database has no tables of the )/);
        assert.ok(
          stderr.includes(`the high-water mark "${mark}" says that there was one: `),
          stderr,
        );
        assert.match(
          stderr,
          new RegExp(`trellis ${service} restore FILE\`; .*move the mark away first\\n$`),
        );
        assert.deepEqual(await list(), before, words);
      }
      const doctor = await run("doctor");
      assert.match(doctor.stdout, new RegExp(`^ERROR +${service} store: it is gone, but`, "m"));

      const restored = await run(`${service} restore out.backup --yes`);
      assert.equal(restored.code, 0, restored.stderr);
      const status = await run(`${service} status`);
      assert.equal(status.code, 0, status.stderr);
      assert.doesNotMatch((await run("doctor")).stdout, /it is gone/);

      // Its operator begins anew on purpose.
      const anew = await createFolder(t, {});
      await configure(anew.folder);
      await createAccount(anew.folder, service, ADA);
      for (const name of await readdir(join(anew.folder, "data"))) {
        if (name !== "instance.key") await rm(join(anew.folder, "data", name));
      }
      await configure(anew.folder);
      const again = await anew.run(create);
      assert.equal(again.code, 0, again.stderr);
    });
  }
}

test("doctor and the reading commands of releases create nothing", async (t) => {
  const { run, list } = await createFolder(t, { release: {}, sync: {}, events: {} });
  const before = await list();
  for (const words of [
    "doctor",
    "release status",
    "release check",
    "release verify",
    "release key show",
    "release decide --platform windows --version 1.0.0 --build 1",
    "release export out.folder",
    "sync verify out.backup",
    "events verify out.backup",
  ]) {
    const { code, stdout, stderr } = await run(words);
    assert.equal(code, 1, words);
    assert.notEqual(stdout + stderr, "");
    assert.deepEqual(await list(), before, words);
  }
});
