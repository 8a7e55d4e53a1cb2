import { openSqlEventsStore, type SqlEventsStore } from "../events/sql/open-sql-events-store.ts";
import { openLeasedStore, type StoreAccess } from "./leased-store.ts";

/** `sqlite:PATH` or a `postgres://` address. */
export function openEventsStore(
  store: string,
  access: StoreAccess = "create",
): Promise<SqlEventsStore> {
  return openLeasedStore("events", store, access, openSqlEventsStore);
}
