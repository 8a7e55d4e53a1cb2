import { join } from "node:path";
import { openSqlSyncStore, type SqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { openLeasedStore } from "./leased-store.ts";

export const HIGH_WATER_FILE = "sync.highwater";

/** `store` is `sqlite:PATH` or a `postgres://` address; the high-water mark is in `dataDir`. */
export function openSyncStore(store: string, dataDir: string): Promise<SqlSyncStore> {
  return openLeasedStore("sync", store, (database) =>
    openSqlSyncStore(database, { highWaterPath: join(dataDir, HIGH_WATER_FILE) }),
  );
}
