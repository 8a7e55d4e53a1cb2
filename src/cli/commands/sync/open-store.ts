import {
  instanceKeyOf,
  type KeyAdoption,
  type Keyed,
} from "../../../identity/bind-instance-key.ts";
import { keyPlaceOf } from "../../../identity/key-place.ts";
import type {
  Configuration,
  SyncConfiguration,
} from "../../../configuration/configuration-schema.ts";
import { refreshUsage } from "../../../hosting/refresh-usage.ts";
import type { StoreAccess } from "../../../database/store-kind.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";
import { openStore } from "../../../database/open-store.ts";
import {
  createAdministration,
  type Administration,
} from "../../../sync/maintenance/administration.ts";
import type { SqlSyncStore } from "../../../sync/sql/open-sql-store.ts";
import type { StoreContext } from "../../command.ts";
import { useStore, type StoreWork } from "../store/use-store.ts";

export interface SyncAdministration extends Administration {
  readonly store: Keyed<SqlSyncStore>;
  readonly configuration: Configuration;
  readonly settings: SyncConfiguration;
}

export function withSyncStore<T>(
  context: StoreContext,
  access: StoreAccess,
  work: StoreWork<"sync", SqlSyncStore, T>,
): Promise<T> {
  return useStore(
    context,
    "sync",
    access,
    ({ store }, options) => openStore({ ...options, kind: SYNC_STORE, store }),
    thenRefresh(access, work),
  );
}

/** Opens the configured store with its instance key. */
export function withSyncAdministration<T>(
  context: StoreContext,
  access: StoreAccess,
  work: (administration: SyncAdministration) => Promise<T>,
  adoption: KeyAdoption = "new-store",
): Promise<T> {
  return useStore(
    context,
    "sync",
    access,
    (section, options) => {
      const key = instanceKeyOf(SYNC_STORE, keyPlaceOf(section), adoption);
      return openStore({ ...options, kind: SYNC_STORE, store: section.store, key });
    },
    thenRefresh(access, (store: Keyed<SqlSyncStore>, configuration, settings) => {
      const administration = createAdministration(store, store.instanceKey);
      return work({ ...administration, store, configuration, settings });
    }),
  );
}

/** Writes the usage of an instance again after a command that may have changed its store. */
function thenRefresh<S extends SqlSyncStore, T>(
  access: StoreAccess,
  work: StoreWork<"sync", S, T>,
): StoreWork<"sync", S, T> {
  return async (store, configuration, section) => {
    const result = await work(store, configuration, section);
    if (access !== "read") await refreshUsage(configuration.dataDir, store.database, Date.now());
    return result;
  };
}
