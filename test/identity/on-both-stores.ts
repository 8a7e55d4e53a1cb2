/** Runs a test on an empty SQLite file and on an empty database of a real PostgreSQL server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { startPostgres } from "../database/start-postgres.ts";

/** Opens the store; once more is what another process, or a restart, would do. */
export type OpenStore = () => Promise<Database>;

const MIGRATIONS = new URL("../../src/identity/migrations/", import.meta.url);

export function testOnBothStores(
  name: string,
  run: (open: OpenStore, t: TestContext) => Promise<void>,
): void {
  test(`${name} (SQLite)`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "trellis-identity-"));
    t.after(() => rm(folder, { recursive: true }));
    await runOn(`sqlite:${join(folder, "store.db")}`, t, run);
  });
  test(`${name} (PostgreSQL)`, async (t) => {
    const postgres = await startPostgres();
    await runOn(await postgres.createDatabase(), t, run);
  });
}

async function runOn(
  store: string,
  t: TestContext,
  run: (open: OpenStore, t: TestContext) => Promise<void>,
): Promise<void> {
  const opened: Database[] = [];
  try {
    await run(async () => {
      const database = await openDatabase(store);
      opened.push(database);
      await migrate(database, "identity", MIGRATIONS);
      return database;
    }, t);
  } finally {
    for (const database of opened) await database.close();
  }
}
