import { join } from "node:path";
import { openDatabase } from "../../../src/database/open-database.ts";
import {
  migrateEvents,
  openSqlEventsStore,
  type SqlEventsStore,
} from "../../../src/events/sql/open-sql-events-store.ts";
import { EVENTS_STORE } from "../../../src/events/sql/open-store.ts";
import { createStorePlaces, type StorePlace } from "../../database/on-both-stores.ts";

export type EventsPlace = StorePlace<SqlEventsStore>;

export const { createPlace, testOnBothStores } = createStorePlaces(async (store, dataDir) => {
  const database = await openDatabase(store);
  await migrateEvents(database);
  const highWaterPath = join(dataDir, EVENTS_STORE.highWaterFile);
  return openSqlEventsStore(database, { highWaterPath });
}, "events");
