import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openSqlite } from "../../src/database/sqlite.ts";
import { testDatabaseContract } from "./database-contract.ts";

testDatabaseContract("SQLite", async (t) => {
  const path = await newPath(t);
  return { open: (options) => openSqlite(path, options) };
});

async function newPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-sqlite-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}
