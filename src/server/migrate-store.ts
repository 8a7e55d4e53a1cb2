/** Migrates the store of a service, alone with it. */
import type { Database } from "../database/database.ts";
import { listPending } from "../database/migrate.ts";
import { openDatabase } from "../database/open-database.ts";
import { leaseStore, SCHEMAS, type StoreOwner } from "./leased-store.ts";
import { prepareUpgrade, type UpgradeOptions } from "./prepare-upgrade.ts";

export interface MigratedService {
  readonly name: StoreOwner;
  migrate(database: Database): Promise<void>;
}

export interface MigrateOptions extends Pick<UpgradeOptions, "onCopy"> {
  /** Gets the migrations of a store that has some to come, and throws to stop. */
  confirm(pending: readonly string[], database: Pick<Database, "dialect">): Promise<void>;
}

/** Returns the names of the migrations that were applied. */
export async function migrateStore(
  { name, migrate }: MigratedService,
  store: string,
  { confirm, onCopy }: MigrateOptions,
): Promise<string[]> {
  const lease = await leaseStore(name, store, "exclusive");
  try {
    const database = await openDatabase(store);
    try {
      const pending = await listPending(database, SCHEMAS[name]);
      if (pending.length === 0) return [];
      await confirm(pending, database);
      const upgraded = { service: name, store, schema: SCHEMAS[name] };
      await prepareUpgrade(upgraded, database, { isBackedUp: true, onCopy });
      await migrate(database);
      return pending;
    } finally {
      await database.close();
    }
  } finally {
    await lease.release();
  }
}
