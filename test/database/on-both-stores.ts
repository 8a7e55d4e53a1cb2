/** Runs tests with empty stores on SQLite and on a real PostgreSQL server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Tables } from "./shared-server.ts";
import { startPostgres } from "./start-postgres.ts";

export interface StorePlace<Store> {
  /** The `store` of the configuration. */
  readonly store: string;
  readonly dataDir: string;
  /** Removed after the test. */
  readonly folder: string;
  /** Opens it once more, as another process or a restart would; closed after the test. */
  open(): Promise<Store>;
}

export type StoreKind = "SQLite" | "PostgreSQL";

export const STORE_KINDS: readonly StoreKind[] = ["SQLite", "PostgreSQL"];

export interface StorePlaces<Store> {
  createPlace(t: Pick<TestContext, "after">, kind: StoreKind): Promise<StorePlace<Store>>;
  testOnBothStores(
    name: string,
    run: (place: StorePlace<Store>, t: TestContext) => Promise<void>,
  ): void;
}

/** A PostgreSQL place has the `tables` that the store would create when it is opened first. */
export function createStorePlaces<Store extends { close(): Promise<void> }>(
  openStore: (store: string, dataDir: string) => Promise<Store>,
  tables?: Tables,
): StorePlaces<Store> {
  const createPlace: StorePlaces<Store>["createPlace"] = async (t, kind) => {
    const folder = await mkdtemp(join(tmpdir(), "trellis-store-"));
    const opened: Store[] = [];
    t.after(async () => {
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true, force: true });
    });
    const dataDir = join(folder, "data");
    const store =
      kind === "SQLite"
        ? `sqlite:${join(dataDir, "store.db")}`
        : await (await startPostgres()).createDatabase(tables);
    return {
      store,
      dataDir,
      folder,
      open: async () => {
        const next = await openStore(store, dataDir);
        opened.push(next);
        return next;
      },
    };
  };
  return {
    createPlace,
    testOnBothStores(name, run) {
      for (const kind of STORE_KINDS) {
        test(`${name} (${kind})`, async (t) => run(await createPlace(t, kind), t));
      }
    },
  };
}
