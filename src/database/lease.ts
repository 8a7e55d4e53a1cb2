/**
 * A lease on a store: any number of processes share it, or one has it exclusively. The operating system
 * or the server ends a lease when its process ends, so no lease is ever stale.
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { createPrivateFolder } from "./create-private-folder.ts";
import { leaseName, schemaKey } from "./schema-key.ts";
import { findNamedInstance } from "./named-instance.ts";
import { expectOwnSessions, SINGLE_CONNECTION } from "./own-sessions.ts";
import type { ConnectionSettings, PostgresConnection } from "./postgres-connection.ts";
import { postgresServers } from "./postgres-servers.ts";
import { isBusy, toSqliteError } from "./sqlite-errors.ts";
import { sqlitePath } from "./sqlite-path.ts";

export type LeaseMode = "shared" | "exclusive";

export interface Lease {
  release(): Promise<void>;
}

export interface LeaseTimes {
  /** How often a connection that may have gone silent is asked: a lease ends with its connection. */
  readonly renewMs?: number;
  readonly statementTimeoutMs?: number;
}

/**
 * Takes a lease; null when another lease excludes it. Services that share a database have leases of
 * different names, and instances in different schemas never exclude each other.
 */
export async function takeLease(
  store: string,
  name: string,
  mode: LeaseMode,
  times: LeaseTimes = {},
): Promise<Lease | null> {
  const path = sqlitePath(store);
  return path === undefined
    ? takeServerLease(store, name, mode, times)
    : takeFileLease(`${path}.lock`, mode);
}

/** Takes the lease of a task that one process on the store does at a time; null while another does it. */
export async function takeTaskLease(store: string, task: string): Promise<Lease | null> {
  const path = sqlitePath(store);
  return path === undefined
    ? takeServerLease(store, task, "exclusive", {})
    : takeFileLease(`${path}.${task.replaceAll(" ", "-")}.lock`, "exclusive");
}

/** An open transaction on an empty SQLite file beside the store. */
function takeFileLease(path: string, mode: LeaseMode): Lease | null {
  createPrivateFolder(dirname(path));
  let handle: DatabaseSync | undefined;
  try {
    handle = new DatabaseSync(path, { timeout: 0 });
    if (mode === "exclusive") handle.exec("begin exclusive");
    else {
      handle.exec("begin");
      // The first read takes the lock.
      handle.prepare("select count(*) from sqlite_schema").get();
    }
  } catch (error) {
    handle?.close();
    if (isBusy(error)) return null;
    throw toSqliteError(error);
  }
  const held = handle;
  return {
    release: async () => {
      if (held.isOpen) held.close();
    },
  };
}

const RENEW_MS = 5_000;
/** How soon a lost lease is tried again at most: until it is held, an exclusive one may be taken. */
const MAX_RETRY_MS = 1000;

/**
 * An advisory lock on a dedicated connection. When that ends, another takes the lease again at once; writers
 * that share the lease wait while someone else has it exclusively (see `openPostgres`).
 */
async function takeServerLease(
  url: string,
  name: string,
  mode: LeaseMode,
  { renewMs = RENEW_MS, ...times }: LeaseTimes,
): Promise<Lease | null> {
  const { address, instance } = await findNamedInstance(url);
  if (instance !== undefined)
    return takeServerLease(address, `${name} ${instance}`, mode, { renewMs, ...times });
  const released = new AbortController();
  const { signal } = released;
  let current: PostgresConnection | null = null;
  let renewal: Promise<void> | null = null;
  const settings = { ...SINGLE_CONNECTION, ...times, onLost: renewIfLost };
  // The check comes before the lock, which a pooler would keep in a session that belongs to no connection.
  await expectOwnSessions(url);
  current = await openLocked(url, settings, name, mode);
  if (current === null) return null;

  async function renew(): Promise<void> {
    for (let pauseMs = 50; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)) {
      // The server is away, or someone else has the lease exclusively.
      const next = await openLocked(url, settings, name, mode).catch(() => null);
      if (next !== null) {
        if (signal.aborted) await next.close();
        else current = next;
        return;
      }
      await wait(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }

  function renewIfLost(): void {
    if (signal.aborted || current?.isLost() !== true) return;
    renewal ??= renew().finally(() => {
      renewal = null;
      renewIfLost();
    });
  }

  const timer = setInterval(() => {
    renewIfLost();
    // A connection that has gone silent is found out by a statement, and so is a failover.
    if (current?.isLost() === false) current.query("select 1").catch(renewIfLost);
  }, renewMs).unref();
  return {
    release: async () => {
      released.abort();
      clearInterval(timer);
      await renewal;
      await current?.close();
    },
  };
}

async function openLocked(
  url: string,
  settings: ConnectionSettings,
  name: string,
  mode: LeaseMode,
): Promise<PostgresConnection | null> {
  const connection = await postgresServers(url).open(settings, "read");
  let isTaken = false;
  try {
    const [row] = await connection.query<{ taken: number }>(
      `select pg_try_advisory_lock${mode === "shared" ? "_shared" : ""}(${schemaKey("$1")}) as taken`,
      [leaseName(name)],
    );
    isTaken = row?.taken === 1;
    return isTaken ? connection : null;
  } finally {
    if (!isTaken) await connection.close();
  }
}
