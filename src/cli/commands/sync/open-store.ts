import type { KeyAdoption } from "../../../identity/bind-instance-key.ts";
import type { Configuration, SyncConfiguration } from "../../../server/configuration-schema.ts";
import { refreshFigures } from "../../../server/instances/instance-figures.ts";
import type { Keyed, StoreAccess } from "../../../server/leased-store.ts";
import { openKeyedSyncStore, openSyncStore } from "../../../server/stored-sync.ts";
import { explainSessionsRevoked } from "../../../server/notices.ts";
import { createAdministration, type Administration } from "../../../sync/administration.ts";
import type { SqlSyncStore } from "../../../sync/sql/open-sql-store.ts";
import type { StoreContext } from "../../command.ts";
import { explainStoreErrors, tellUpgrade } from "../../explain-store-errors.ts";
import { readSection } from "../../read-section.ts";

/** Opens the configured store, which a running server may use at the same time. */
export function withSyncStore<T>(
  context: StoreContext,
  access: StoreAccess,
  work: (
    store: SqlSyncStore,
    configuration: Configuration,
    section: SyncConfiguration,
  ) => Promise<T>,
): Promise<T> {
  return withOpenStore(
    context,
    access,
    ({ store }, dataDir) => openSyncStore(store, dataDir, access, tellUpgrade(context)),
    work,
  );
}

/** Opens the configured store with its instance key. */
export function withSyncAdministration<T>(
  context: StoreContext,
  access: StoreAccess,
  work: (
    administration: Administration,
    store: Keyed<SqlSyncStore>,
    configuration: Configuration,
  ) => Promise<T>,
  adoption: KeyAdoption = "new-store",
): Promise<T> {
  return withOpenStore(
    context,
    access,
    (section, dataDir) =>
      openKeyedSyncStore(section, dataDir, { access, adoption, ...tellUpgrade(context) }),
    (store, configuration) =>
      work(createAdministration(store, store.instanceKey), store, configuration),
  );
}

async function withOpenStore<S extends SqlSyncStore, T>(
  context: StoreContext,
  access: StoreAccess,
  open: (section: SyncConfiguration, dataDir: string) => Promise<S>,
  work: (store: S, configuration: Configuration, section: SyncConfiguration) => Promise<T>,
): Promise<T> {
  const { configuration, section } = await readSection(context, "sync");
  return explainStoreErrors(async () => {
    const store = await open(section, configuration.dataDir);
    try {
      const isReader = access === "read";
      if (store.wasPutBack) {
        context.warn(
          `The store was put back, it is behind its high-water mark: a new generation ${isReader ? "begins with the next start" : "began"}, and every device syncs from the start`,
        );
      }
      if (store.sessionsWereRevoked) {
        context.warn(
          explainSessionsRevoked(
            "sync",
            isReader ? "is revoked with the next start" : "was revoked",
          ),
        );
      }
      const result = await work(store, configuration, section);
      if (!isReader) await refreshFigures(configuration.dataDir, store.database, Date.now());
      return result;
    } finally {
      await store.close();
    }
  });
}
