import {
  migrateEvents,
  openSqlEventsStore,
  type SqlEventsStore,
} from "../events/sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../events/store.ts";
import type { KeyAdoption } from "../identity/bind-instance-key.ts";
import type { EventsConfiguration } from "./configuration-schema.ts";
import { openKeyedStore, openLeasedStore, type Keyed } from "./leased-store.ts";

/** `sqlite:PATH` or a `postgres://` address. */
export function openEventsStore(store: string): Promise<SqlEventsStore> {
  return openLeasedStore("events", store, openSqlEventsStore);
}

/** The store together with its instance key: both must belong to each other. */
export function openKeyedEventsStore(
  { store, instanceKeyFile }: Pick<EventsConfiguration, "store" | "instanceKeyFile">,
  adoption?: KeyAdoption,
): Promise<Keyed<SqlEventsStore>> {
  return openKeyedStore({
    owner: "events",
    store,
    key: { realm: EVENTS_REALM, path: instanceKeyFile },
    adoption,
    migrate: migrateEvents,
    open: openSqlEventsStore,
  });
}
