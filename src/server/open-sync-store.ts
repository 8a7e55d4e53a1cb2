/** Opens the store that a configuration names, beside others who work with it or alone. */
import { join } from "node:path";
import { takeLease, type Lease, type LeaseMode } from "../database/lease.ts";
import { openDatabase } from "../database/open-database.ts";
import { openSqlSyncStore, type SqlSyncStore } from "../sync/sql/open-sql-store.ts";

export const HIGH_WATER_FILE = "sync.highwater";

/** Others are in the way: a restore, or whatever a restore must not disturb. */
export class StoreInUseError extends Error {
  constructor(mode: LeaseMode) {
    super(
      mode === "exclusive"
        ? "The store is in use: stop `trellis serve` and wait for other `trellis sync` commands, then try again"
        : "The store is being restored: try again when that is done",
    );
    this.name = "StoreInUseError";
  }
}

/** Nobody restores the store while this lease is held. */
export async function leaseSyncStore(store: string, mode: LeaseMode): Promise<Lease> {
  const lease = await takeLease(store, "sync", mode);
  if (lease === null) throw new StoreInUseError(mode);
  return lease;
}

/** `sqlite:PATH` or a `postgres://` address; `dataDir` keeps the mark of how far the log went. */
export async function openSyncStore(store: string, dataDir: string): Promise<SqlSyncStore> {
  const lease = await leaseSyncStore(store, "shared");
  try {
    const opened = await openUnleased(store, dataDir);
    const close = async () => {
      await opened.close();
      await lease.release();
    };
    return { ...opened, close };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** Under a lease that is held already. */
async function openUnleased(store: string, dataDir: string): Promise<SqlSyncStore> {
  const database = await openDatabase(store);
  try {
    return await openSqlSyncStore(database, { highWaterPath: join(dataDir, HIGH_WATER_FILE) });
  } catch (error) {
    await database.close();
    throw error;
  }
}
