/** The store of the events service: how it is opened, and what else the server does with it. */
import { openLineFile } from "../../database/line-file.ts";
import { EVENTS_EXAMINER, type EventsBackupManifest } from "../maintenance/backup.ts";
import { EVENTS_TABLES } from "../maintenance/copied-tables.ts";
import { readEventsStatus, type EventsStatus } from "../maintenance/read-status.ts";
import { restoreEventsContents, type EventsRestoreResult } from "../maintenance/restore.ts";
import {
  EVENTS_SCHEMA,
  openSqlEventsStore,
  readSqlEventsStore,
  type SqlEventsStore,
} from "./open-sql-events-store.ts";
import { EVENTS_REALM } from "../store.ts";
import { resealFeedUrls } from "../subscriptions/reseal-feed-urls.ts";
import {
  areSessionsBehind,
  createSessionEpochFile,
  readSqlSessionEpoch,
} from "../../identity/session-epoch.ts";
import { withMark, type StoreDescription } from "../../backup/store-description.ts";
import { openStore, type OpenOptions } from "../../database/open-store.ts";
import type { StoreAccess, StoreKind } from "../../database/store-kind.ts";

export const EVENTS_STORE: StoreDescription<
  EventsBackupManifest,
  EventsStatus,
  EventsRestoreResult
> &
  StoreKind<SqlEventsStore> = {
  name: EVENTS_REALM,
  schema: EVENTS_SCHEMA,
  highWaterFile: "events.highwater",
  open: (database, { access, ...options }) =>
    (access === "read" ? readSqlEventsStore : openSqlEventsStore)(database, options),
  isBehind: (database, path) =>
    withMark(createSessionEpochFile(openLineFile(path)), (file) =>
      areSessionsBehind(database, EVENTS_REALM, file.readSessionEpoch()),
    ),
  writeMark: (database, path) =>
    withMark(createSessionEpochFile(openLineFile(path)), async (file) =>
      file.writeSessionEpoch(await readSqlSessionEpoch(database, EVENTS_REALM)),
    ),
  tables: EVENTS_TABLES,
  contents: ["identity_accounts"],
  reseal: resealFeedUrls,
  // The tokens of the events service are random, and the store knows them by their hashes.
  readLastIssue: async () => 0,
  countHolders: async () => 0,
  examiner: EVENTS_EXAMINER,
  async prepareRestore(database, highWaterPath) {
    const store = await openSqlEventsStore(database, { highWaterPath });
    const status = await readEventsStatus(database);
    return {
      status,
      isEmpty: status.accounts === 0,
      restore: (contents) =>
        withMark(store.highWater, () => restoreEventsContents(store, contents, Date.now())),
    };
  },
};

/**
 * Opens a store of events on SQLite or PostgreSQL. It makes a store that does not exist, and upgrades an
 * older one.
 * @param store - `sqlite:PATH`, or a `postgres://` address
 * @param dataDir - the folder of the session epoch, by which a store that was rolled back is noticed
 * @param access - `create` makes a store that does not exist; `existing` refuses it
 * @param options - how a store is upgraded, and who learns of it
 * @returns the store, for `createEventsService`
 */
export function openEventsStore(
  store: string,
  dataDir: string,
  access: StoreAccess = "create",
  options: OpenOptions = {},
): Promise<SqlEventsStore> {
  return openStore({ ...options, kind: EVENTS_STORE, store, dataDir, access });
}
