/** Runs a test with an empty events store on SQLite and on a real PostgreSQL server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openDatabase } from "../../../src/database/open-database.ts";
import {
  openSqlEventsStore,
  type SqlEventsStore,
} from "../../../src/events/sql/open-sql-events-store.ts";
import { startPostgres } from "../../database/start-postgres.ts";

export interface StorePlace {
  /** As in the configuration. */
  readonly address: string;
  /** Of its own, removed after the test. */
  readonly folder: string;
  /** Opens it once more, as another process would; closed after the test. */
  open(): Promise<SqlEventsStore>;
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
  const folder = await mkdtemp(join(tmpdir(), "trellis-events-"));
  const opened: SqlEventsStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const address =
    kind === "SQLite"
      ? `sqlite:${join(folder, "events.db")}`
      : await (await startPostgres()).createDatabase();
  return {
    address,
    folder,
    open: async () => {
      const store = await openSqlEventsStore(await openDatabase(address));
      opened.push(store);
      return store;
    },
  };
}
