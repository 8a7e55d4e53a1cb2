/**
 * Upgrades the store of a service. A process that migrates a store is alone with it, so that no server of an
 * older version finds tables that it does not know.
 */
import { setTimeout as wait } from "node:timers/promises";
import { ALL_INSTANCES } from "./coordination-tables.ts";
import type { Database } from "./database.ts";
import { listPending, migrate } from "./migrate.ts";
import type { OpenDatabase } from "./open-database.ts";
import { sqlitePath } from "./sqlite-path.ts";
import { StoreInUseError, useAlone } from "./lease-store.ts";
import { copyBeforeUpgrade, UpgradeNeededError } from "./prepare-upgrade.ts";
import type { StoreOwner, StoreTables } from "./store-kind.ts";

/** Services in one database share the tables of accounts. */
const OWNERS: readonly StoreOwner[] = ["sync", "events"];

type UpgradedService = Pick<StoreTables, "name" | "schema">;

export interface MigrateOptions {
  /** Called with the migrations of a store that has some to come; throws to stop. */
  confirm?(pending: readonly string[], database: Pick<Database, "dialect">): Promise<void>;
  /** Called with the path of the copy of a SQLite file. */
  readonly onCopy?: ((path: string) => void) | undefined;
}

/** Returns the names of the migrations that were applied. */
export function migrateStore(
  { schema }: UpgradedService,
  store: string,
  { confirm, onCopy }: MigrateOptions,
): Promise<string[]> {
  const work = async (database: OpenDatabase) => {
    const pending = await listPending(database, schema);
    if (pending.length === 0) return [];
    await confirm?.(pending, database);
    const copy = await copyBeforeUpgrade(store, database);
    if (copy !== null) onCopy?.(copy);
    return migrate(database, schema);
  };
  return useAlone(OWNERS, store, work, ALL_INSTANCES);
}

const RETRY_MS = 50;
/** How long a process waits for others that start at the same time, one of which migrates the store. */
const IN_USE_MS = 5000;
const IN_USE_ADVICE =
  "a server or a command of an older version still uses it; stop it, then try again";

/** Runs `open`; an older SQLite file is migrated first. */
export async function openUpgraded<S>(
  service: UpgradedService,
  store: string,
  onCopy: (path: string) => void,
  open: () => Promise<S>,
): Promise<S> {
  if (sqlitePath(store) === undefined) return open();
  const deadline = performance.now() + IN_USE_MS;
  let needed = null as UpgradeNeededError | null;
  for (;;) {
    try {
      return await open().catch(async (error: unknown) => {
        if (!(error instanceof UpgradeNeededError)) throw error;
        needed = error;
        await migrateStore(service, store, { onCopy });
        return open();
      });
    } catch (error) {
      if (needed === null || !(error instanceof StoreInUseError)) throw error;
      if (performance.now() > deadline) {
        throw new UpgradeNeededError(needed.reason, IN_USE_ADVICE);
      }
    }
    await wait(RETRY_MS);
  }
}
