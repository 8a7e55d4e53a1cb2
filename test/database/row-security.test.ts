/** Row security of PostgreSQL keeps instances apart even where a statement forgets its condition. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transaction } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { INSTANCE_TABLES } from "../../src/hosting/instance-rows.ts";
import { migrateSync } from "../../src/sync/sql/open-sql-store.ts";
import { addCanaries, readCanaries, secureRows } from "./canaries.ts";
import { startPostgres } from "./start-postgres.ts";

test("a statement without its condition shows and changes nothing of another instance", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const database = await openDatabase(store);
  t.after(() => database.close());
  await migrateSync(database);
  await addCanaries(database);
  const canaries = await readCanaries(database);
  assert.equal(canaries.length, INSTANCE_TABLES.length);

  const asOwner = await makeOwner(database);
  /** As the owner of the tables, whom row security binds only because it is forced. */
  const run = <T>(instance: string, work: (tx: Transaction) => Promise<T>) =>
    database.transaction(async (tx) => {
      await tx.script(`${asOwner} SET LOCAL "trellis.instance" = '${instance}';`);
      return work(tx);
    });
  await secureRows(database);
  for (const table of INSTANCE_TABLES) {
    const read = (tx: Transaction) => tx.query(`SELECT * FROM ${table}`);
    assert.equal((await run("2", read)).length, 1, table);
    for (const other of ["1", ""]) assert.deepEqual(await run(other, read), [], table);
    await run("1", (tx) => tx.query(`UPDATE ${table} SET instance = 1`));
    await run("1", (tx) => tx.query(`DELETE FROM ${table}`));
    const smuggle = `INSERT INTO identity_hits (instance, window_start, subject, hits) VALUES (2, 9, 'x', 1)`;
    await assert.rejects(
      run("1", (tx) => tx.query(smuggle)),
      /row-level security|42501/,
    );
  }
  assert.deepEqual(
    await run("2", (tx) => readCanaries({ ...database, query: tx.query })),
    canaries,
  );
});

/** What makes a transaction one of a role that is no superuser: a superuser is bound by nothing. */
async function makeOwner(database: Awaited<ReturnType<typeof openDatabase>>): Promise<string> {
  const [user] = await database.query<{ is_super: number }>(
    "SELECT rolsuper AS is_super FROM pg_roles WHERE rolname = current_user",
  );
  if (user?.is_super !== 1) return "";
  const owner = `owner_${process.pid}`;
  const owned = INSTANCE_TABLES.map((table) => `ALTER TABLE ${table} OWNER TO ${owner};`);
  await database.transaction((tx) => tx.script(`CREATE ROLE ${owner};\n${owned.join("\n")}`));
  return `SET LOCAL ROLE ${owner};`;
}
