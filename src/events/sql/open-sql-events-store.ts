import { TOMBSTONE_LIFETIME_SECONDS } from "../../contract/events/values.ts";
import { columnsOf } from "../../database/columns.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { openLineFile } from "../../database/line-file.ts";
import { migrate, type Scope } from "../../database/migrate.ts";
import type { RollbackFindings, StoreOpening } from "../../database/store-kind.ts";
import {
  areSessionsBehind,
  createSessionEpochFile,
  moveSessionEpoch,
  prepareSessions,
  type SessionEpochFile,
  type SessionTables,
} from "../../identity/session-epoch.ts";
import {
  countSqlRollback,
  createSqlIdentityRecords,
  probeSqlWrite,
  pruneSqlIdentity,
} from "../../identity/sql-identity-records.ts";
import {
  createSqlBrowserSessions,
  findSqlBrowserSession,
} from "../../identity/sql-browser-sessions.ts";
import { createSqlRateLimitCounters } from "../../identity/sql-rate-limits.ts";
import {
  EVENTS_REALM,
  type EventsRecords,
  type EventsStore,
  type Profile,
  type ProfileRecords,
} from "../store.ts";
import { pruneSqlTombstones } from "./event-rows.ts";
import { createSqlEventReader } from "./read-events.ts";
import { createSqlEvents } from "./sql-events.ts";
import { createSqlGrants, createSqlInteractions, findSqlGrant } from "./sql-oauth.ts";
import { createSqlSources, createSqlSubscriptions } from "./sql-sources.ts";
import { withStorableText } from "./storable-text.ts";

/** A database of events has no log that could fall behind: `wasRolledBack` is false. */
export interface SqlEventsStore extends EventsStore, RollbackFindings {
  readonly database: Database;
  readonly highWater: SessionEpochFile;
}

const SESSION_TABLE = "events_sessions";
const EVENTS_SESSIONS: SessionTables = {
  realm: EVENTS_REALM,
  tables: [SESSION_TABLE, "events_grants", "events_interactions"],
};

/** The tables must be those of this version. Closing the store closes the database. */
export async function openSqlEventsStore(
  database: Database,
  { highWaterPath, onRollback }: StoreOpening,
): Promise<SqlEventsStore> {
  const highWater = createSessionEpochFile(openLineFile(highWaterPath));
  highWater.create();
  const prepare = async (checked: Database): Promise<boolean> => {
    const sessions = await prepareSessions(checked, EVENTS_SESSIONS, highWater.readSessionEpoch());
    highWater.writeSessionEpoch(sessions.epoch);
    if (sessions.wereRevoked) await countSqlRollback(checked, EVENTS_REALM);
    return sessions.wereRevoked;
  };
  const check = async (checked = database) => {
    if (await prepare(checked)) onRollback?.({ wasRolledBack: false, sessionsWereRevoked: true });
  };
  const sessionsWereRevoked = await prepare(database);
  database.onServerChange(check);
  return createSqlEventsStore(database, highWater, sessionsWereRevoked, () => check());
}

/** For readers: nothing is revoked and the high-water file is not written; the store only says so. */
export async function readSqlEventsStore(
  database: Database,
  { highWaterPath }: StoreOpening,
): Promise<SqlEventsStore> {
  const highWater = createSessionEpochFile(openLineFile(highWaterPath));
  const isBehind = await areSessionsBehind(database, EVENTS_REALM, highWater.readSessionEpoch());
  return createSqlEventsStore(database, highWater, isBehind, async () => {});
}

function createSqlEventsStore(
  database: Database,
  highWater: SessionEpochFile,
  sessionsWereRevoked: boolean,
  check: () => Promise<void>,
): SqlEventsStore {
  const reader = withStorableText(database);
  const createRecords = (tx: Queryable, onRevoked: (epoch: number) => void): EventsRecords => {
    const revoked = async () => onRevoked(await moveSessionEpoch(tx, EVENTS_REALM));
    return {
      identity: createSqlIdentityRecords(tx, EVENTS_REALM),
      profiles: createSqlProfiles(tx),
      sessions: createSqlBrowserSessions(tx, SESSION_TABLE, revoked),
      interactions: createSqlInteractions(tx),
      grants: createSqlGrants(tx, revoked),
      sources: createSqlSources(tx),
      subscriptions: createSqlSubscriptions(tx),
      events: createSqlEvents(tx, database.dialect),
      rateLimitCounters: createSqlRateLimitCounters(tx),
    };
  };
  return {
    wasRolledBack: false,
    sessionsWereRevoked,
    database,
    highWater,
    async transaction(work, options) {
      let epoch: number | null = null;
      const result = await database.transaction((tx) => {
        epoch = null;
        return work(
          createRecords(withStorableText(tx), (moved) => {
            epoch = moved;
          }),
        );
      }, options);
      if (epoch !== null) highWater.writeSessionEpoch(epoch);
      return result;
    },
    findGrant: (tokenHash, now) => findSqlGrant(reader, tokenHash, now),
    findSession: (sessionHash, now) =>
      findSqlBrowserSession(reader, SESSION_TABLE, sessionHash, now),
    reads: createRecords(reader, () => {}),
    events: createSqlEventReader(reader, database.dialect),
    ping: async () => void (await database.query("SELECT 1 AS alive")),
    probeWrite: (now) => probeSqlWrite(database, EVENTS_REALM, now),
    async prune(now) {
      // PostgreSQL can be rolled back under its clients.
      await check();
      await database.transaction(async (tx) => {
        for (const table of [SESSION_TABLE, "events_grants"]) {
          await tx.query(
            `DELETE FROM ${table} WHERE idle_expires_at <= $1 OR absolute_expires_at <= $1`,
            [now],
          );
        }
        await tx.query("DELETE FROM events_interactions WHERE expires_at <= $1", [now]);
        await pruneSqlIdentity(tx, now);
      });
      await pruneSqlTombstones(database, now - TOMBSTONE_LIFETIME_SECONDS * 1000);
    },
    async close() {
      await database.close();
      highWater.close();
    },
  };
}

const PROFILE = columnsOf<Profile>("accountId", "timeZone", "language");

function createSqlProfiles(tx: Queryable): ProfileRecords {
  return {
    async put(profile) {
      await tx.query(
        `INSERT INTO events_profiles (${PROFILE.names}) VALUES (${PROFILE.placeholders})
         ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone,
           language = excluded.language`,
        PROFILE.values(profile),
      );
    },
    async find(accountId) {
      const [profile] = await tx.query<Pick<Profile, keyof Profile>>(
        `SELECT ${PROFILE.select("p")} FROM events_profiles p WHERE p.account_id = $1`,
        [accountId],
      );
      return profile ?? null;
    },
  };
}

export const EVENTS_SCHEMA: readonly Scope[] = [
  { name: "identity", folder: new URL("../../identity/migrations/", import.meta.url) },
  { name: "events", folder: new URL("../migrations/", import.meta.url) },
];

export async function migrateEvents(database: Database): Promise<void> {
  await migrate(database, EVENTS_SCHEMA);
}
