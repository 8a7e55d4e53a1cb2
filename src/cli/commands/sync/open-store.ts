/** What every sync command needs: the store of the configuration, and what works on it. */
import { openInstanceKey } from "../../../identity/instance-key.ts";
import type { Configuration } from "../../../server/configuration.ts";
import type { SyncConfiguration } from "../../../server/configuration-schema.ts";
import { openSyncStore } from "../../../server/open-sync-store.ts";
import { createAdministration, type Administration } from "../../../sync/administration.ts";
import type { SqlSyncStore } from "../../../sync/sql/open-sql-store.ts";
import type { CommandContext } from "../../command.ts";
import { explainingStoreFailures } from "../../explain-store-failure.ts";
import { readSection } from "../../read-section.ts";

type AnyContext = Pick<CommandContext, "configuration" | "warn">;

export interface SyncSettings {
  readonly configuration: Configuration;
  readonly sync: SyncConfiguration;
}

export async function readSyncSettings(context: AnyContext): Promise<SyncSettings> {
  const { configuration, section: sync } = await readSection(context, "sync");
  return { configuration, sync };
}

/** Beside a running server. */
export async function withStore<T>(
  context: AnyContext,
  work: (store: SqlSyncStore, settings: SyncSettings) => Promise<T>,
): Promise<T> {
  const settings = await readSyncSettings(context);
  return explainingStoreFailures(async () => {
    const store = await openSyncStore(settings.sync.store, settings.configuration.dataDir);
    try {
      if (store.wasRestored) {
        context.warn(
          "The store is older than it was: a new generation began, and devices start anew",
        );
      }
      return await work(store, settings);
    } finally {
      await store.close();
    }
  });
}

export function withAdministration<T>(
  context: AnyContext,
  work: (administration: Administration, store: SqlSyncStore, settings: SyncSettings) => Promise<T>,
): Promise<T> {
  return withStore(context, (store, settings) => {
    const { instanceKeyFile } = settings.sync;
    const key = openInstanceKey(instanceKeyFile);
    return work(createAdministration(store, key), store, settings);
  });
}
