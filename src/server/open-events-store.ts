import { openSqlEventsStore, type SqlEventsStore } from "../events/sql/open-sql-events-store.ts";
import { openLeasedStore } from "./leased-store.ts";

/** `sqlite:PATH` or a `postgres://` address. */
export function openEventsStore(store: string): Promise<SqlEventsStore> {
  return openLeasedStore("events", store, openSqlEventsStore);
}
