import { join } from "node:path";
import {
  migrateSync,
  openSqlSyncStore,
  readSqlSyncStore,
  type SqlStoreOptions,
  type SqlSyncStore,
} from "../sync/sql/open-sql-store.ts";
import type { Database } from "../database/database.ts";
import { SYNC_REALM } from "../sync/store.ts";
import type { SyncConfiguration } from "./configuration-schema.ts";
import {
  openKeyedStore,
  openLeasedStore,
  type Keyed,
  type KeyedStoreOptions,
  type KeyedStoreSettings,
  type OpenOptions,
  type StoreAccess,
} from "./leased-store.ts";

export const HIGH_WATER_FILE = "sync.highwater";

/** `store` is `sqlite:PATH` or a `postgres://` address; the high-water mark is in `dataDir`. */
export function openSyncStore(
  store: string,
  dataDir: string,
  access: StoreAccess = "create",
  options: OpenOptions = {},
): Promise<SqlSyncStore> {
  const known = { owner: "sync", store, highWaterPath: join(dataDir, HIGH_WATER_FILE) } as const;
  return openLeasedStore(known, access, createOpener(dataDir, access), options);
}

/** The store together with its instance key: both must belong to each other. */
export function openKeyedSyncStore(
  { store, instanceKeyFile }: Pick<SyncConfiguration, "store" | "instanceKeyFile">,
  dataDir: string,
  {
    onPutBack,
    onAppendGroup,
    ...options
  }: KeyedStoreOptions & Pick<SqlStoreOptions, "onPutBack" | "onAppendGroup"> = {},
): Promise<Keyed<SqlSyncStore>> {
  const settings: KeyedStoreSettings<SqlSyncStore> = {
    owner: "sync",
    store,
    highWaterPath: join(dataDir, HIGH_WATER_FILE),
    key: { realm: SYNC_REALM, path: instanceKeyFile },
    migrate: migrateSync,
    open: createOpener(dataDir, options.access, { onPutBack, onAppendGroup }),
  };
  return openKeyedStore(settings, options);
}

function createOpener(
  dataDir: string,
  access: StoreAccess | undefined,
  listeners: Pick<SqlStoreOptions, "onPutBack" | "onAppendGroup"> = {},
) {
  const open = access === "read" ? readSqlSyncStore : openSqlSyncStore;
  const options = { highWaterPath: join(dataDir, HIGH_WATER_FILE), ...listeners };
  return (database: Database) => open(database, options);
}
