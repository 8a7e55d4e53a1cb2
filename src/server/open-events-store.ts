import {
  migrateEvents,
  openSqlEventsStore,
  type SqlEventsStore,
} from "../events/sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../events/store.ts";
import type { EventsConfiguration } from "./configuration-schema.ts";
import {
  openKeyedStore,
  openLeasedStore,
  type Keyed,
  type KeyedStoreOptions,
  type KeyedStoreSettings,
  type StoreAccess,
} from "./leased-store.ts";

/** `sqlite:PATH` or a `postgres://` address. */
export function openEventsStore(
  store: string,
  access: StoreAccess = "create",
): Promise<SqlEventsStore> {
  return openLeasedStore("events", store, access, openSqlEventsStore);
}

/** The store together with its instance key: both must belong to each other. */
export function openKeyedEventsStore(
  { store, instanceKeyFile }: Pick<EventsConfiguration, "store" | "instanceKeyFile">,
  options?: KeyedStoreOptions,
): Promise<Keyed<SqlEventsStore>> {
  const settings: KeyedStoreSettings<SqlEventsStore> = {
    owner: "events",
    store,
    key: { realm: EVENTS_REALM, path: instanceKeyFile },
    migrate: migrateEvents,
    open: openSqlEventsStore,
  };
  return openKeyedStore(settings, options);
}
