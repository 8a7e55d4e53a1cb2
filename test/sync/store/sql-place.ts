import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import type { StorePlace } from "../../../src/sync/store-contract/index.ts";
import { startPostgres } from "../../database/start-postgres.ts";

export type SqlKind = "SQLite" | "PostgreSQL";

export async function createSqlPlace(kind: SqlKind): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-store-"));
  const address =
    kind === "SQLite"
      ? `sqlite:${join(folder, "sync.db")}`
      : await (await startPostgres()).createDatabase("sync");
  return {
    open: () => openSyncStore(address, folder),
    remove: () => rm(folder, { recursive: true }),
  };
}
