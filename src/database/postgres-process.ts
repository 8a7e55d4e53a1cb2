/**
 * What a process has of a PostgreSQL address: one pool of connections for all its instances, its leases, and
 * one connection that listens. The first one who uses it opens it, and the last one closes it.
 */
import { createPool, type Lane, type Pool } from "./connection-pool.ts";
import { ALL_INSTANCES, createCoordinationTables } from "./coordination-tables.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { createPostgresLeases, type PostgresLeases } from "./postgres-leases.ts";
import { createPostgresNotices, type PostgresNotices } from "./postgres-notices.ts";
import { listeningServers, postgresServers } from "./postgres-servers.ts";
import type { SessionTimes } from "./postgres-session.ts";

export interface ProcessSettings extends SessionTimes {
  readonly connectTimeoutMs: number;
  readonly lanes: Readonly<Record<Lane, number>>;
}

export interface PostgresProcess {
  readonly pool: Pool<PostgresConnection>;
  readonly leases: PostgresLeases;
  readonly notices: PostgresNotices;
  /** Calls `onChange` when a connection leads to another server than those before; returns what ends that. */
  watchServer(onChange: () => void): () => void;
  /** Makes the tables that processes need to keep out of each other's way. */
  prepare(): Promise<void>;
  /** The caller uses it no more. */
  release(): Promise<void>;
}

/** With the connection that listens they are 14. */
const CONNECTIONS = 13;

export const PROCESS_SETTINGS: ProcessSettings = {
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  lanes: { read: CONNECTIONS, write: 8, stream: 4, upkeep: CONNECTIONS },
};

interface Shared extends Omit<PostgresProcess, "release"> {
  users: number;
}

const sharedByKey = new Map<string, Shared>();

/** Fails when the server cannot be reached, so that a wrong address is found at the start. */
export async function usePostgres(
  url: string,
  settings: ProcessSettings = PROCESS_SETTINGS,
): Promise<PostgresProcess> {
  const key = JSON.stringify([url, settings]);
  const shared = sharedByKey.get(key) ?? createShared(url, settings);
  sharedByKey.set(key, shared);
  shared.users++;
  const release = async () => {
    shared.users--;
    if (shared.users > 0) return;
    if (sharedByKey.get(key) === shared) sharedByKey.delete(key);
    await shared.notices.close();
    await shared.leases.close();
    await shared.pool.close();
  };
  try {
    // An idle connection will do.
    await shared.pool.use({ line: ALL_INSTANCES, lane: "upkeep" }, async () => {});
  } catch (error) {
    await release();
    throw error;
  }
  return { ...shared, release };
}

function createShared(url: string, { lanes, ...settings }: ProcessSettings): Shared {
  const servers = postgresServers(url);
  const pool = createPool(() => servers.open(settings, "read"), {
    size: CONNECTIONS,
    lanes,
    waitTimeoutMs: settings.lockTimeoutMs,
  });
  let prepared: Promise<void> | null = null;
  const prepare = () => {
    prepared ??= pool
      .use({ line: ALL_INSTANCES, lane: "upkeep" }, createCoordinationTables)
      .catch((error: unknown) => {
        prepared = null;
        throw error;
      });
    return prepared;
  };
  const listening = listeningServers(servers);
  const notices = createPostgresNotices(pool, {
    notifies: servers.address.notifies,
    history: servers.history,
    // Only the server that is written to has notifications.
    openListening: listening && ((onNotify) => listening.open({ ...settings, onNotify }, "write")),
  });
  const leases = createPostgresLeases(pool, prepare);
  return { pool, leases, notices, prepare, watchServer: servers.history.watch, users: 0 };
}
