/** What a rotation of the instance key has to know about each service. */
import type { Database } from "../database/database.ts";
import { migrateEvents } from "../events/sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../events/store.ts";
import { resealFeedUrls } from "../events/subscriptions/reseal-feed-urls.ts";
import type { Reseal } from "../identity/reseal.ts";
import { countOlderTokens, readLastIssue } from "../sync/maintenance/key-holders.ts";
import { migrateSync } from "../sync/sql/open-sql-store.ts";
import { SYNC_REALM } from "../sync/store.ts";
import type { StoreOwner } from "./leased-store.ts";
import { EVENTS_HIGH_WATER_FILE } from "./open-events-store.ts";
import { HIGH_WATER_FILE } from "./open-sync-store.ts";

export interface KeyedService {
  readonly name: StoreOwner;
  readonly realm: string;
  readonly highWaterFile: string;
  /** What it has sealed beside passwords. */
  readonly reseal?: Reseal;
  migrate(database: Database): Promise<void>;
  /** When something was last issued that only the key can recognise; 0 when nothing was. */
  readLastIssue(database: Database): Promise<number>;
  /** How many devices hold something that was issued before `time`. */
  countHolders(database: Database, time: number, now: number): Promise<number>;
}

export const KEYED_SYNC: KeyedService = {
  name: "sync",
  realm: SYNC_REALM,
  highWaterFile: HIGH_WATER_FILE,
  migrate: migrateSync,
  readLastIssue,
  countHolders: countOlderTokens,
};

/** Its tokens are random, and the store knows them by their hashes. */
export const KEYED_EVENTS: KeyedService = {
  name: "events",
  realm: EVENTS_REALM,
  highWaterFile: EVENTS_HIGH_WATER_FILE,
  reseal: resealFeedUrls,
  migrate: migrateEvents,
  readLastIssue: async () => 0,
  countHolders: async () => 0,
};
