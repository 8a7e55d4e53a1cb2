import { join } from "node:path";
import type { Database } from "../database/database.ts";
import {
  migrateEvents,
  openSqlEventsStore,
  readSqlEventsStore,
  type SqlEventsStore,
  type SqlEventsStoreOptions,
} from "../events/sql/open-sql-events-store.ts";
import { resealFeedUrls } from "../events/subscriptions/reseal-feed-urls.ts";
import { EVENTS_REALM } from "../events/store.ts";
import type { EventsConfiguration } from "./configuration-schema.ts";
import {
  openKeyedStore,
  openLeasedStore,
  type Keyed,
  type KeyedStoreOptions,
  type KeyedStoreSettings,
  type OpenOptions,
  type StoreAccess,
} from "./leased-store.ts";

export const EVENTS_HIGH_WATER_FILE = "events.highwater";

/** `store` is `sqlite:PATH` or a `postgres://` address; the session epoch is in `dataDir`. */
export function openEventsStore(
  store: string,
  dataDir: string,
  access: StoreAccess = "create",
  options: OpenOptions = {},
): Promise<SqlEventsStore> {
  const known = {
    owner: "events",
    store,
    highWaterPath: join(dataDir, EVENTS_HIGH_WATER_FILE),
  } as const;
  return openLeasedStore(known, access, createOpener(dataDir, access), options);
}

/** The store together with its instance key: both must belong to each other. */
export function openKeyedEventsStore(
  { store, instanceKeyFile }: Pick<EventsConfiguration, "store" | "instanceKeyFile">,
  dataDir: string,
  { onPutBack, ...options }: KeyedStoreOptions & Pick<SqlEventsStoreOptions, "onPutBack"> = {},
): Promise<Keyed<SqlEventsStore>> {
  const settings: KeyedStoreSettings<SqlEventsStore> = {
    owner: "events",
    store,
    highWaterPath: join(dataDir, EVENTS_HIGH_WATER_FILE),
    key: { realm: EVENTS_REALM, path: instanceKeyFile },
    reseal: resealFeedUrls,
    migrate: migrateEvents,
    open: createOpener(dataDir, options.access, onPutBack),
  };
  return openKeyedStore(settings, options);
}

function createOpener(
  dataDir: string,
  access: StoreAccess | undefined,
  onPutBack?: SqlEventsStoreOptions["onPutBack"],
) {
  const open = access === "read" ? readSqlEventsStore : openSqlEventsStore;
  const options = { highWaterPath: join(dataDir, EVENTS_HIGH_WATER_FILE), onPutBack };
  return (database: Database) => open(database, options);
}
