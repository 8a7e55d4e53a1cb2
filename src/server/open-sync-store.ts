/** Opens the sync store that a configuration names. */
import { join } from "node:path";
import { openSqlSyncStore, type SqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { openLeasedStore } from "./leased-store.ts";

export const HIGH_WATER_FILE = "sync.highwater";

/** `sqlite:PATH` or a `postgres://` address; `dataDir` keeps the mark of how far the log went. */
export function openSyncStore(store: string, dataDir: string): Promise<SqlSyncStore> {
  return openLeasedStore("sync", store, (database) =>
    openSqlSyncStore(database, { highWaterPath: join(dataDir, HIGH_WATER_FILE) }),
  );
}
