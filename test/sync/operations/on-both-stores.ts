import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createStorePlaces, type StorePlace } from "../../database/on-both-stores.ts";

export type SyncPlace = StorePlace<SqlSyncStore>;

export const { createPlace, testOnBothStores } = createStorePlaces(openSyncStore, "sync");
