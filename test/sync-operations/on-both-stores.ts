/** Runs a test with an empty SQLite store and with an empty store on a real PostgreSQL server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openSyncStore } from "../../src/server/open-sync-store.ts";
import type { SqlSyncStore } from "../../src/sync/sql/open-sql-store.ts";
import { startPostgres } from "../database/start-postgres.ts";

export interface StorePlace {
  /** As in the configuration. */
  readonly store: string;
  readonly dataDir: string;
  /** Of its own, removed after the test. */
  readonly folder: string;
  /** Opens it once more; closed after the test. */
  open(): Promise<SqlSyncStore>;
}

export type StoreKind = "SQLite" | "PostgreSQL";

export const STORE_KINDS: readonly StoreKind[] = ["SQLite", "PostgreSQL"];

export function testOnBothStores(
  name: string,
  run: (place: StorePlace, t: TestContext) => Promise<void>,
): void {
  for (const kind of STORE_KINDS) {
    test(`${name} (${kind})`, async (t) => run(await createPlace(t, kind), t));
  }
}

export async function createPlace(
  t: Pick<TestContext, "after">,
  kind: StoreKind,
): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-sync-"));
  const opened: SqlSyncStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const dataDir = join(folder, "data");
  const store =
    kind === "SQLite"
      ? `sqlite:${join(dataDir, "sync.db")}`
      : await (await startPostgres()).createDatabase();
  return {
    store,
    dataDir,
    folder,
    open: async () => {
      const next = await openSyncStore(store, dataDir);
      opened.push(next);
      return next;
    },
  };
}
