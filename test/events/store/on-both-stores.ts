import { join } from "node:path";
import { openDatabase } from "../../../src/database/open-database.ts";
import {
  openSqlEventsStore,
  type SqlEventsStore,
} from "../../../src/events/sql/open-sql-events-store.ts";
import { STORED_EVENTS } from "../../../src/server/stored-events.ts";
import { createStorePlaces, type StorePlace } from "../../database/on-both-stores.ts";

export type EventsPlace = StorePlace<SqlEventsStore>;

export const { createPlace, testOnBothStores } = createStorePlaces(
  async (store, dataDir) =>
    openSqlEventsStore(await openDatabase(store), {
      highWaterPath: join(dataDir, STORED_EVENTS.highWaterFile),
    }),
  "events",
);
