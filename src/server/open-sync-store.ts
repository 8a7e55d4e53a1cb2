import { join } from "node:path";
import {
  openSqlSyncStore,
  readSqlSyncStore,
  type SqlSyncStore,
} from "../sync/sql/open-sql-store.ts";
import { openLeasedStore, type StoreAccess } from "./leased-store.ts";

export const HIGH_WATER_FILE = "sync.highwater";

/** `store` is `sqlite:PATH` or a `postgres://` address; the high-water mark is in `dataDir`. */
export function openSyncStore(
  store: string,
  dataDir: string,
  access: StoreAccess = "create",
): Promise<SqlSyncStore> {
  const open = access === "read" ? readSqlSyncStore : openSqlSyncStore;
  return openLeasedStore("sync", store, access, (database) =>
    open(database, { highWaterPath: join(dataDir, HIGH_WATER_FILE) }),
  );
}
