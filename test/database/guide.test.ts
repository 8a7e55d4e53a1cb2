/** The statements of docs/operate/postgres.md and docs/operate/sizes.md do what the guides say. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { openPostgres } from "../../src/database/postgres.ts";
import { compactLog } from "../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../src/sync/sql/open-sql-store.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createStoreCases } from "../../store-contract/index.ts";
import { superuserUrl } from "./launch-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

const GUIDES = join(import.meta.dirname, "../../docs/operate");
/** Cases that write and read the tables which the guide parts. */
const CASES = [
  "a batch may repeat an operation, and mix new operations with replays",
  "pages of every size add up to the log",
  "compacted operations still count in the states, and their replays are recognised",
];

interface Scene {
  /** The address of the role that the guide makes. */
  readonly url: URL;
  /** As the superuser. */
  readonly database: postgres.Sql;
  readonly partition: string;
  readonly queries: readonly string[];
  readonly dumpPassword: string;
  open(instance: number): Promise<SqlSyncStore>;
}

test("the statements of the guide", async (t) => {
  const scene = await setUp(t);
  await t.test("show the state of the database", () => askState(scene));
  await t.test("make a role that may dump everything, and serves nothing", () => dumpAll(scene));
  await t.test("part the largest tables, and keep what is in them", (t) => partTables(t, scene));
});

async function setUp(t: TestContext): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [roles = "", dump = "", ...queries] = await readBlocks("postgres.md");
  const [partition = ""] = await readBlocks("sizes.md");
  const url = new URL(await (await startPostgres()).createDatabase());
  const connect = (name: string) =>
    postgres(superuserUrl(Number(url.port), name), { max: 1, onnotice: () => {} });
  const [admin, database] = [connect("postgres"), connect("trellis")];
  t.after(async () => {
    await database.end({ timeout: 1 });
    await admin.unsafe("drop database if exists trellis with (force)");
    await admin.unsafe("drop role if exists trellis, trellis_dump");
    await admin.end();
  });
  for (const statement of statementsOf(roles)) await admin.unsafe(statement);
  url.pathname = "/trellis";
  url.username = "trellis";
  url.password = passwordOf(roles);
  for (const statement of statementsOf(dump)) await database.unsafe(statement);
  return {
    url,
    database,
    partition,
    queries,
    dumpPassword: passwordOf(dump),
    open: (instance) =>
      openSyncStore(url.href, join(folder, String(instance)), "create", { database: { instance } }),
  };
}

async function askState({ database, queries, open }: Scene): Promise<void> {
  const stores = [await open(2), await open(3)];
  const rows = new Map<string, number>();
  for (const query of queries) rows.set(query, (await database.unsafe(query)).length);
  for (const store of stores) await store.close();
  const find = (part: string) => [...rows].find(([query]) => query.includes(part))?.[1] ?? 0;
  assert.equal(rows.size, 6);
  assert.ok(find("application_name = 'trellis'") > 0);
  assert.equal(find("pg_is_in_recovery"), 1);
  assert.equal(find("pg_stat_user_tables"), 10);
  assert.ok(find("trellis_lease") >= 1);
}

async function dumpAll({ url, dumpPassword }: Scene): Promise<void> {
  const address = new URL(url);
  address.username = "trellis_dump";
  address.password = dumpPassword;
  const sql = postgres(address.href, { max: 1, onnotice: () => {} });
  try {
    // As `pg_dump` does, which fails rather than leave out what a policy hides.
    await sql`set row_security = off`;
    assert.equal((await sql`select from sync_log`).length, 2);
  } finally {
    await sql.end({ timeout: 1 });
  }
  await assert.rejects(openPostgres(address.href), /bypasses row security/);
}

async function partTables(t: TestContext, { database, partition, open }: Scene): Promise<void> {
  await database.unsafe(partition);
  const parted = await database`select relname from pg_class where relkind = 'p' order by relname`;
  assert.deepEqual(
    parted.map(({ relname }) => String(relname)),
    ["sync_entities", "sync_ledger", "sync_marks", "sync_operations"],
  );
  let instance = 10;
  const cases = createStoreCases({
    isShared: true,
    compact: async (store) => void (await compactLog((store as SqlSyncStore).database)),
    createPlace: async () => {
      const own = instance++;
      return { open: () => open(own), remove: async () => {} };
    },
  });
  for (const name of CASES) {
    const found = cases.find((one) => one.name === name);
    assert.ok(found !== undefined, name);
    await t.test(name, found.run);
  }
}

async function readBlocks(guide: string): Promise<string[]> {
  const text = await readFile(join(GUIDES, guide), "utf8");
  return [...text.matchAll(/^```sql\n(.*?)^```/gms)].map(([, block = ""]) => block);
}

function statementsOf(block: string): string[] {
  return block.split(";\n").filter((statement) => statement.trim() !== "");
}

function passwordOf(block: string): string {
  return /PASSWORD '([^']+)'/.exec(block)?.[1] ?? "";
}
