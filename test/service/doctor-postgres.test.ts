/** Databases that respond and cannot be used: the doctor says so, and `serve` says the same without a stack. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { superuserUrl } from "../database/launch-postgres.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { runInside } from "../fixtures/run-inside.ts";

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
}

async function createPlace(t: TestContext, store: string) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-doctor-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const sync = { baseUrl: "http://localhost:1", store };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ sync }));
  return {
    create: () =>
      runInside(folder, ["sync", "account", "create", "--username", "ada", "--password-stdin"], {
        input: "correct horse battery",
      }),
    async findError() {
      const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
      const errors = findings.filter(({ level }) => level === "error");
      assert.deepEqual([code, errors.map(({ subject }) => subject)], [1, ["sync store"]]);
      return errors[0]?.message ?? "";
    },
  };
}

function connect(t: TestContext, url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end({ timeout: 1 }));
  return sql;
}

test("a schema that does not exist is an error, and makes no tables elsewhere", async (t) => {
  const database = await (await startPostgres()).createDatabase();
  const place = await createPlace(t, `${database}?search_path=scool`);
  assert.match(await place.findError(), /schema that its `search_path` names does not exist/);
  const { code, stderr } = await place.create();
  assert.notEqual(code, 0);
  assert.match(stderr, /^The store is not available: the schema that `search_path` names does not/);
  assert.doesNotMatch(stderr, /\n\s+at /);
  const tables = await connect(t, database)`select from pg_tables where tablename like 'sync_%'`;
  assert.equal(tables.length, 0);
});

test("a role without rights on the tables is an error that names the right", async (t) => {
  const database = await (await startPostgres()).createDatabase();
  assert.equal((await (await createPlace(t, database)).create()).code, 0);
  const { port, pathname } = new URL(database);
  const sql = connect(t, superuserUrl(Number(port), pathname.slice(1)));
  const role = `reader_${Date.now()}`;
  await sql.unsafe(`create role ${role} login password 'reader'`);
  const url = new URL(database);
  url.username = role;
  url.password = "reader";
  const place = await createPlace(t, url.href);
  assert.match(await place.findError(), /cannot be read: .*permission denied for table/);
  const { code, stderr } = await place.create();
  assert.notEqual(code, 0);
  assert.match(stderr, /^The store is not available: the role of the address lacks a right/);
});
