/** The statements of docs/operate/postgres.md do what the guide says. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import postgres from "postgres";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { superuserUrl } from "./launch-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

const GUIDE = join(import.meta.dirname, "../../docs/operate/postgres.md");

test("the statements of the guide make a database for two instances, and show their state", async (t) => {
  const blocks = [...(await readFile(GUIDE, "utf8")).matchAll(/^```sql\n(.*?)^```/gms)].map(
    ([, block = ""]) => block.split(";\n").filter((statement) => statement.trim() !== ""),
  );
  const [setUp = [], schemas = [], ...queries] = blocks;
  const url = new URL(await (await startPostgres()).createDatabase());
  const admin = connect(superuserUrl(Number(url.port), "postgres"));
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-"));
  t.after(async () => {
    await admin.unsafe("drop database if exists trellis with (force)");
    await admin.unsafe("drop role if exists trellis");
    await admin.end();
    await rm(folder, { recursive: true, force: true });
  });
  for (const statement of setUp) await admin.unsafe(statement);
  url.pathname = "/trellis";
  const database = connect(superuserUrl(Number(url.port), "trellis"));
  t.after(() => database.end({ timeout: 1 }));
  for (const statement of schemas) await database.unsafe(statement);

  url.username = "trellis";
  url.password = /PASSWORD '([^']+)'/.exec(setUp.join())?.[1] ?? "";
  for (const schema of ["school", "family"]) {
    const store = await openSyncStore(`${url.href}?search_path=${schema}`, join(folder, schema));
    t.after(() => store.close());
  }
  await database.unsafe("set search_path = school");
  const rows = new Map<string, number>();
  for (const [query = ""] of queries) {
    rows.set(query, (await database.unsafe(query)).length);
  }
  const find = (part: string) => [...rows].find(([query]) => query.includes(part))?.[1] ?? 0;
  assert.equal(rows.size, 6);
  assert.ok(find("application_name = 'trellis'") > 0);
  assert.equal(find("pg_is_in_recovery"), 1);
  assert.equal(find("pg_stat_user_tables"), 10);
  assert.ok(find("trellis_lease") >= 1);
});

function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => {} });
}
