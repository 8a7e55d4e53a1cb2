import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMigrated } from "../../../src/database/migrate.ts";
import { useDatabase } from "../../../src/database/open-database.ts";
import { migrateSync } from "../../../src/sync/sql/open-sql-store.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import type { StorePlace } from "../../../store-contract/index.ts";
import { addCanaries, readCanaries } from "../../database/canaries.ts";
import { startPostgres } from "../../database/start-postgres.ts";

export type SqlKind = "SQLite" | "PostgreSQL";

/** A store on PostgreSQL is beside another instance in the same tables, and without row security. */
export async function createSqlPlace(kind: SqlKind): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-store-"));
  const address =
    kind === "SQLite" ? `sqlite:${join(folder, "sync.db")}` : await createBesideCanaries();
  return {
    open: () => openSyncStore(address, folder),
    async remove() {
      await rm(folder, { recursive: true });
      if (kind === "PostgreSQL") await expectCanaries(address);
    },
  };
}

/** A database with the canaries, and without row security. */
export async function createBesideCanaries(): Promise<string> {
  const address = await (await startPostgres()).createDatabase("sync_beside_canaries");
  await useDatabase(address, {}, async (database) => {
    // Only the server of a run of all tests has templates.
    if (await isMigrated(database, "sync")) return;
    await migrateSync(database);
    await addCanaries(database);
  });
  return address;
}

let untouched: string[] | undefined;

async function expectCanaries(address: string): Promise<void> {
  untouched ??= await useDatabase(await createBesideCanaries(), {}, readCanaries);
  assert.equal(untouched.length, 24);
  assert.deepEqual(await useDatabase(address, {}, readCanaries), untouched);
}
