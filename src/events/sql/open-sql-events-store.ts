import { TOMBSTONE_LIFETIME_SECONDS } from "../../contract/events/values.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import {
  createSqlIdentityRecords,
  probeSqlWrite,
  pruneSqlIdentity,
} from "../../identity/sql-identity-records.ts";
import {
  createSqlRateLimitCounters,
  pruneSqlRateLimitCounters,
} from "../../identity/sql-rate-limits.ts";
import { EVENTS_REALM, type EventsRecords, type EventsStore } from "../store.ts";
import { pruneSqlTombstones } from "./event-rows.ts";
import { createSqlEventReader } from "./read-events.ts";
import { createSqlProfiles, createSqlSessions, findSqlSession } from "./sql-accounts.ts";
import { createSqlEvents } from "./sql-events.ts";
import { createSqlGrants, createSqlInteractions, findSqlGrant } from "./sql-oauth.ts";
import { createSqlSources, createSqlSubscriptions } from "./sql-sources.ts";
import { withStorableText } from "./storable-text.ts";

export interface SqlEventsStore extends EventsStore {
  readonly database: Database;
}

/** Closing the store closes the database. */
export async function openSqlEventsStore(database: Database): Promise<SqlEventsStore> {
  await migrateEvents(database);
  const reader = withStorableText(database);
  const createRecords = (tx: Queryable): EventsRecords => ({
    identity: createSqlIdentityRecords(tx, EVENTS_REALM),
    profiles: createSqlProfiles(tx),
    sessions: createSqlSessions(tx),
    interactions: createSqlInteractions(tx),
    grants: createSqlGrants(tx),
    sources: createSqlSources(tx),
    subscriptions: createSqlSubscriptions(tx),
    events: createSqlEvents(tx, database.dialect),
    rateLimitCounters: createSqlRateLimitCounters(tx),
  });
  return {
    database,
    transaction: (work) => database.transaction((tx) => work(createRecords(withStorableText(tx)))),
    findGrant: (tokenHash, now) => findSqlGrant(reader, tokenHash, now),
    findSession: (sessionHash, now) => findSqlSession(reader, sessionHash, now),
    reads: createRecords(reader),
    events: createSqlEventReader(reader, database.dialect),
    ping: async () => void (await database.query("SELECT 1 AS alive")),
    probeWrite: (now) => probeSqlWrite(database, EVENTS_REALM, now),
    async prune(now) {
      await database.transaction(async (tx) => {
        for (const table of ["events_sessions", "events_grants"]) {
          await tx.query(
            `DELETE FROM ${table} WHERE idle_expires_at <= $1 OR absolute_expires_at <= $1`,
            [now],
          );
        }
        await tx.query("DELETE FROM events_interactions WHERE expires_at <= $1", [now]);
        await pruneSqlRateLimitCounters(tx, now);
        await pruneSqlIdentity(tx, now);
      });
      await pruneSqlTombstones(database, now - TOMBSTONE_LIFETIME_SECONDS * 1000);
    },
    close: () => database.close(),
  };
}

export async function migrateEvents(database: Database): Promise<void> {
  await migrate(database, "identity", new URL("../../identity/migrations/", import.meta.url));
  await migrate(database, "events", new URL("../migrations/", import.meta.url));
}
