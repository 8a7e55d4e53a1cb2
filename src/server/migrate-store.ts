/** Migrates the store of a service, alone with it. */
import type { Database } from "../database/database.ts";
import { listPending } from "../database/migrate.ts";
import { useAlone } from "./leased-store.ts";
import { prepareUpgrade, type UpgradeOptions } from "./prepare-upgrade.ts";
import type { StoreDescription } from "./store-description.ts";

export interface MigrateOptions extends Pick<UpgradeOptions, "onCopy"> {
  /** Called with the migrations of a store that has some to come; throws to stop. */
  confirm(pending: readonly string[], database: Pick<Database, "dialect">): Promise<void>;
}

/** Returns the names of the migrations that were applied. */
export function migrateStore(
  service: StoreDescription,
  store: string,
  { confirm, onCopy }: MigrateOptions,
): Promise<string[]> {
  return useAlone([service.name], store, async (database) => {
    const pending = await listPending(database, service.schema);
    if (pending.length === 0) return [];
    await confirm(pending, database);
    await prepareUpgrade(service, store, database, { isBackedUp: true, onCopy });
    await service.migrate(database);
    return pending;
  });
}
