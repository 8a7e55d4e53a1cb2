import type { KeyAdoption } from "../../../identity/bind-instance-key.ts";
import type { Configuration, SyncConfiguration } from "../../../server/configuration-schema.ts";
import { openKeyedSyncStore, openSyncStore } from "../../../server/open-sync-store.ts";
import { createAdministration, type Administration } from "../../../sync/administration.ts";
import type { SqlSyncStore } from "../../../sync/sql/open-sql-store.ts";
import type { StoreContext } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { readSection } from "../../read-section.ts";

/** Opens the configured store, which a running server may use at the same time. */
export function withSyncStore<T>(
  context: StoreContext,
  work: (
    store: SqlSyncStore,
    configuration: Configuration,
    section: SyncConfiguration,
  ) => Promise<T>,
): Promise<T> {
  return withOpenStore(context, ({ store }, dataDir) => openSyncStore(store, dataDir), work);
}

/** Opens the configured store with its instance key. */
export function withSyncAdministration<T>(
  context: StoreContext,
  work: (
    administration: Administration,
    store: SqlSyncStore,
    configuration: Configuration,
  ) => Promise<T>,
  adoption: KeyAdoption = "new-store",
): Promise<T> {
  return withOpenStore(
    context,
    (section, dataDir) => openKeyedSyncStore(section, dataDir, { adoption }),
    (store, configuration) =>
      work(createAdministration(store, store.instanceKey), store, configuration),
  );
}

async function withOpenStore<S extends SqlSyncStore, T>(
  context: StoreContext,
  open: (section: SyncConfiguration, dataDir: string) => Promise<S>,
  work: (store: S, configuration: Configuration, section: SyncConfiguration) => Promise<T>,
): Promise<T> {
  const { configuration, section } = await readSection(context, "sync");
  return explainStoreErrors(async () => {
    const store = await open(section, configuration.dataDir);
    try {
      if (store.wasRestored) {
        context.warn(
          "The store is older than its high-water mark: a new generation began, and every device syncs from the start",
        );
      }
      if (store.sessionsWereRevoked) {
        context.warn(
          "The store is older than the last revocation: every device was revoked and must sign in again. If the password was changed since, change it again with `trellis sync account password`",
        );
      }
      return await work(store, configuration, section);
    } finally {
      await store.close();
    }
  });
}
