/** What a copy needs to know about the services that have a store. */
import { join } from "node:path";
import type { TablePart } from "../database/copy/table-columns.ts";
import type { Database } from "../database/database.ts";
import { openLineFile } from "../database/line-file.ts";
import { EVENTS_TABLES } from "../events/maintenance/copied-tables.ts";
import { migrateEvents } from "../events/sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../events/store.ts";
import {
  areSessionsBehind,
  createSessionEpochFile,
  readSqlSessionEpoch,
  type SessionEpochFile,
} from "../identity/session-epoch.ts";
import { SYNC_TABLES } from "../sync/maintenance/copied-tables.ts";
import { openHighWaterFile } from "../sync/sql/high-water.ts";
import { readHead } from "../sync/sql/log-head.ts";
import { migrateSync } from "../sync/sql/open-sql-store.ts";
import { isPutBack } from "../sync/sql/prepare-log.ts";
import { SYNC_REALM } from "../sync/store.ts";
import type { StoreOwner } from "./leased-store.ts";
import { EVENTS_HIGH_WATER_FILE } from "./open-events-store.ts";
import { HIGH_WATER_FILE } from "./open-sync-store.ts";

export interface CopiedService {
  readonly name: StoreOwner;
  readonly realm: string;
  /** In the order of references. */
  readonly tables: readonly TablePart[];
  /** A store that has rows in one of these is in use; the others are filled by starting a server. */
  readonly contents: readonly string[];
  readonly highWaterFile: string;
  migrate(database: Database): Promise<void>;
  /** Whether the database is behind the mark in the file, which an older copy is. */
  isBehind(database: Database, highWaterPath: string): Promise<boolean>;
  /** Moves the mark in the file to the database. */
  writeMark(database: Database, highWaterPath: string): Promise<void>;
}

export const COPIED_SYNC: CopiedService = {
  name: "sync",
  realm: SYNC_REALM,
  tables: SYNC_TABLES,
  contents: ["identity_accounts", "sync_entities", "sync_ledger", "sync_sessions"],
  highWaterFile: HIGH_WATER_FILE,
  migrate: migrateSync,
  isBehind: (database, path) =>
    withMark(
      openHighWaterFile(path),
      async (file) =>
        (await isPutBack(database, file.read())) ||
        areSessionsBehind(database, SYNC_REALM, file.readSessionEpoch()),
    ),
  writeMark: (database, path) =>
    withMark(openHighWaterFile(path), async (file) => {
      file.write(await readHead(database));
      file.writeSessionEpoch(await readSqlSessionEpoch(database, SYNC_REALM));
    }),
};

export const COPIED_EVENTS: CopiedService = {
  name: "events",
  realm: EVENTS_REALM,
  tables: EVENTS_TABLES,
  contents: ["identity_accounts"],
  highWaterFile: EVENTS_HIGH_WATER_FILE,
  migrate: migrateEvents,
  isBehind: (database, path) =>
    withMark(createSessionEpochFile(openLineFile(path)), (file) =>
      areSessionsBehind(database, EVENTS_REALM, file.readSessionEpoch()),
    ),
  writeMark: (database, path) =>
    withMark(createSessionEpochFile(openLineFile(path)), async (file) =>
      file.writeSessionEpoch(await readSqlSessionEpoch(database, EVENTS_REALM)),
    ),
};

export function highWaterPath({ highWaterFile }: CopiedService, dataDir: string): string {
  return join(dataDir, highWaterFile);
}

async function withMark<F extends Pick<SessionEpochFile, "close">, T>(
  file: F,
  work: (file: F) => Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    file.close();
  }
}
