/**
 * Every statement of the stores finds its rows by an index, however large the tables are and whatever
 * the database believes about them.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import type { Database, Dialect, Statement } from "../../../src/database/database.ts";
import { bindInstance, ONLY_INSTANCE } from "../../../src/database/instance-parameter.ts";
import { openDatabase } from "../../../src/database/open-database.ts";
import { combineStatements } from "../../../src/database/rows.ts";
import { migrateEvents } from "../../../src/events/sql/open-sql-events-store.ts";
import { appendPushes } from "../../../src/sync/sql/append-pushes.ts";
import { migrateSync, openSqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { append } from "../../../store-contract/read-store.ts";
import { sampleOperations } from "../../../store-contract/samples.ts";
import { startPostgres } from "../start-postgres.ts";
import { EXPECTED_ERRORS } from "./expected-errors.ts";
import { liveEvents } from "./live-events.ts";
import { liveSync } from "./live-sync.ts";
import { createPostgresPlanReader, type PlanReader } from "./postgres-plan.ts";
import { createStatementRecorder, type RecordedStatement } from "./record-statements.ts";
import { createSqlitePlanReader } from "./sqlite-plan.ts";
import { findStatementLines } from "./statement-lines.ts";
import { fillTables, listGrowingTables } from "./tables.ts";

const recorder = createStatementRecorder();
const expectedHere = new Set<RegExp>();
/** Enough for the indexes of a table to differ in size, also when all rows are deleted. */
const FEW_ROWS = 300;
const KEEPING_PLANS = { keepsPlans: true };

test("in SQLite no statement reads all of a growing table", async (t) => {
  const { database } = await openLived(t, "sqlite");
  const growing = await listGrowingTables(database);
  await database.transaction((tx) => tx.script(deleteFrom(growing)));
  await fillTables(database, growing);
  const reader = createSqlitePlanReader(database, growing);
  await expectPlans(reader, "sqlite", "filled");
  await database.transaction((tx) => tx.script("ANALYZE"));
  await expectPlans(reader, "sqlite", "filled and analyzed");
});

test("in PostgreSQL no statement reads all of a growing table", async (t) => {
  const { database, store } = await openLived(t, "postgres");
  const growing = await listGrowingTables(database);
  const admin = connect(t, store);
  const clear = async () => {
    await admin.unsafe(`TRUNCATE ${growing.join(", ")}, sync_sessions, sync_browser_sessions`);
    // Of the values of a table that is empty, ANALYZE would keep what it knew before.
    await admin`SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
      FROM pg_stats WHERE schemaname = current_schema()`;
    await admin.unsafe("VACUUM ANALYZE");
  };
  const reader = await createPostgresPlanReader(t, store, database, growing);
  await clear();
  await expectPlans(reader, "postgres", "empty when a plan is kept", isKept);
  await fillTables(database, growing, 1);
  await admin.unsafe("VACUUM ANALYZE");
  await expectPlans(reader, "postgres", "of one row when a plan is kept", isKept);
  await clear();
  await fillTables(database, growing, FEW_ROWS);
  await admin.unsafe(deleteFrom(growing));
  await expectPlans(reader, "postgres", "full of deleted rows when a plan is kept", isKept);
  await admin.unsafe("VACUUM ANALYZE");
  await expectPlans(reader, "postgres", "vacuumed and empty when a plan is kept", isKept);
  await clear();
  await fillTables(database, growing);
  await expectPlans(reader, "postgres", "analyzed while they were empty");
  for (const table of growing) {
    await admin`SELECT pg_clear_relation_stats(current_schema(), ${table})`;
  }
  await expectPlans(reader, "postgres", "never analyzed");
  await admin.unsafe("ANALYZE");
  await expectPlans(reader, "postgres", "analyzed");
});

test("every statement of the source was seen, and every expected error", () => {
  const unseen = findStatementLines().filter((line) => !recorder.lines.has(line));
  assert.deepEqual(unseen, [], "add them to the lives of the stores");
  const unused = EXPECTED_ERRORS.filter(({ statement }) => !expectedHere.has(statement));
  assert.deepEqual(unused, []);
});

/** A table of which one database may have rows of many instances. */
const SHARED_TABLE = /\b(?:FROM|JOIN|UPDATE|INTO) (?:sync|identity)_\w+/gi;
const INSTANCE_NAMED = /\binstance = |INTO \w+ \(instance\b/gi;

test("every statement names the instance of each table that it reads or writes", () => {
  const forgetful = [...recorder.statements.values()]
    .map(({ sql }) => sql.replaceAll(/\s+/g, " "))
    .filter((sql) => {
      const tables = sql.match(SHARED_TABLE)?.length ?? 0;
      return tables > (sql.match(INSTANCE_NAMED)?.length ?? 0);
    });
  assert.deepEqual(forgetful, []);
  assert.ok(recorder.statements.size > 100);
});

test("a plan that was made while a store was small is as good when it is large", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const folder = await createFolder(t);
  const database = await openDatabase(store);
  t.after(() => database.close());
  await migrateSync(database);
  const sync = await openSqlSyncStore(database, { highWaterPath: join(folder, "mark") });
  await append(sync, sampleOperations(1));
  await connect(t, store).unsafe("VACUUM ANALYZE");
  await append(sync, sampleOperations(1, "tablet"));
  const tables = ["sync_operations", "sync_ledger", "sync_entities", "sync_marks"];
  const other = await openDatabase(store);
  t.after(() => other.close());
  await fillTables(other, tables);
  const counts = await database.transaction(async (tx) => {
    // The statistics of a transaction end with it, so its writes cannot wait until then.
    const writes: Statement[] = [];
    const writeAtEnd = (statements: readonly Statement[]) => void writes.push(...statements);
    const pushes = [{ operations: sampleOperations(100, "laptop"), now: 0, proof: null }];
    await appendPushes({ ...tx, writeAtEnd }, "postgres", pushes);
    const { sql, params } = combineStatements(
      writes.map((write) => ({
        ...write,
        ...bindInstance(write.sql, write.params ?? [], ONLY_INSTANCE),
      })),
    );
    await tx.query(sql, params);
    return tx.query<{ name: string; rows_read: number }>(
      `SELECT relname AS name, seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows_read
       FROM pg_stat_xact_user_tables WHERE relname LIKE 'sync_%'`,
    );
  }, KEEPING_PLANS);
  assert.ok(counts.length >= tables.length);
  for (const { name, rows_read: rows } of counts) assert.ok(rows <= 100, `${rows} rows of ${name}`);
});

test("a push keeps the plans of all its statements", async (t) => {
  const folder = await createFolder(t);
  const database = await openDatabase(await (await startPostgres()).createDatabase());
  t.after(() => database.close());
  await migrateSync(database);
  const sync = await openSqlSyncStore(database, { highWaterPath: join(folder, "mark") });
  for (const device of ["phone", "laptop"]) await append(sync, sampleOperations(3, device));
  // The statement that reads what the store has of a push, and the one that writes.
  const made = await database.transaction((tx) =>
    tx.query(
      `SELECT generic_plans, custom_plans FROM pg_prepared_statements
       WHERE statement LIKE '%' || $1 || '%' AND parameter_types <> '{}'`,
      ["sync_ledger"],
    ),
  );
  assert.equal(made.length, 2);
  for (const { custom_plans: custom } of made) assert.equal(custom, 0);
});

test("rows that belong to a row are found by an index when it is deleted", async (t) => {
  const store = await createBothStores(t);
  const unindexed = await connect(t, store)`
    SELECT c.conrelid::regclass::text AS table_name, c.conname AS name FROM pg_constraint c
    WHERE c.contype = 'f' AND NOT EXISTS (
      SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.conrelid
        AND a.attnum = ANY (c.conkey) AND a.attname <> 'instance'
      WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND (i.indkey[0] = a.attnum
        OR (i.indkey::int2[])[0:array_length(c.conkey, 1) - 1] @> c.conkey))`;
  assert.deepEqual([...unindexed], []);
});

/** With the tables of sync and events, and nothing in them. */
async function createBothStores(t: TestContext): Promise<string> {
  const store = await (await startPostgres()).createDatabase();
  const database = await openDatabase(store);
  t.after(() => database.close());
  await migrateSync(database);
  await migrateEvents(database);
  return store;
}

async function openLived(
  t: TestContext,
  dialect: Dialect,
): Promise<{ readonly database: Database; readonly store: string }> {
  const folder = await createFolder(t);
  const store =
    dialect === "sqlite"
      ? `sqlite:${join(folder, "store.db")}`
      : await (await startPostgres()).createDatabase();
  const database = await openDatabase(store);
  t.after(() => database.close());
  await liveSync(database, folder, recorder);
  await liveEvents(database, folder, recorder);
  return { database, store };
}

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-plans-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

function connect(t: TestContext, url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end({ timeout: 1 }));
  return sql;
}

function deleteFrom(tables: readonly string[]): string {
  return tables
    .toReversed()
    .map((table) => `DELETE FROM ${table};`)
    .join("\n");
}

/** PostgreSQL plans a statement without parameters once, whatever its settings are. */
function isKept({ sql, sentBy }: RecordedStatement): boolean {
  return sentBy !== "transaction" || !/\$\d/.test(sql);
}

/** Of the statements in the dialect that were seen so far. */
async function expectPlans(
  reader: PlanReader,
  dialect: Dialect,
  state: string,
  isMeant: (statement: RecordedStatement) => boolean = () => true,
): Promise<void> {
  const found: string[] = [];
  for (const statement of recorder.statements.values()) {
    if (statement.dialect !== dialect || statement.sql.startsWith("PRAGMA")) continue;
    if (!isMeant(statement)) continue;
    const sql = statement.sql.trim().replaceAll(/\s+/g, " ");
    const expected = EXPECTED_ERRORS.find((error) => error.statement.test(sql));
    for (const error of await reader.findErrors(statement)) {
      if (expected !== undefined && (expected.errors?.test(error) ?? true)) {
        expectedHere.add(expected.statement);
      } else found.push(`${statement.sentFrom} ${sql}: ${error}`);
    }
  }
  assert.deepEqual(found, [], `tables that are ${state}`);
}
