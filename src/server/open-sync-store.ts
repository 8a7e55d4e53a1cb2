/** Opens the store that a configuration names. */
import { join } from "node:path";
import { openDatabase } from "../database/open-database.ts";
import { openSqlSyncStore, type SqlSyncStore } from "../sync/sql/open-sql-store.ts";

/** `sqlite:PATH` or a `postgres://` address; `dataDir` keeps the mark of how far the log went. */
export async function openSyncStore(store: string, dataDir: string): Promise<SqlSyncStore> {
  const database = await openDatabase(store);
  try {
    return await openSqlSyncStore(database, { highWaterPath: join(dataDir, "sync.highwater") });
  } catch (error) {
    await database.close();
    throw error;
  }
}
