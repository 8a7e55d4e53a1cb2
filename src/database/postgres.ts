/** The store of several processes or machines: a PostgreSQL server. */
import { createHash } from "node:crypto";
import { leaseName, schemaKey } from "./schema-key.ts";
import { retryConflicts } from "./conflicts.ts";
import { createPool, type Pool } from "./connection-pool.ts";
import {
  StorageUnavailableError,
  TransactionConflictError,
  type Database,
  type Row,
  type SqlValue,
} from "./database.ts";
import type { DatabaseObserver } from "./database-observer.ts";
import { createNotifier, listenTo, sendNotification } from "./notifications.ts";
import { ONLY_INSTANCE } from "./instance-parameter.ts";
import type { ConnectionSettings, PostgresConnection } from "./postgres-connection.ts";
import { postgresServers } from "./postgres-servers.ts";
import { planSettings } from "./postgres-session.ts";
import { createWatches, watchNotifications } from "./watch-commits.ts";
import { STREAM_IDLE_TIMEOUT_MS, watchConsumer } from "./watch-consumer.ts";
import { createWriteQueue, type Writer } from "./write-queue.ts";

export interface PostgresDatabase extends Database {
  readonly dialect: "postgres";
}

export interface PostgresOptions {
  readonly instance?: number;
  /** The service whose shared lease the caller has: see `beginWriting`. */
  readonly leasedBy?: string;
  /** Connections for queries; transactions share one more, streams and watches have their own. */
  readonly maxReaders?: number;
  readonly maxStreams?: number;
  readonly statementTimeoutMs?: number;
  /** How long to wait for other writers, and for a free connection. */
  readonly lockTimeoutMs?: number;
  /** How long a transaction may be idle. */
  readonly idleTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly streamIdleTimeoutMs?: number;
  readonly observer?: DatabaseObserver;
}

/**
 * The lock lasts until the commit, so the writers of all processes on a schema run in turn, as in SQLite. A
 * lease ends with its connection, and until it is taken again a command such as a restore can have it
 * exclusively: so each transaction has the lease too, and waits for such a command before it takes the lock.
 */
function beginWriting(leasedBy: string | undefined): string {
  return `begin isolation level read committed read write;
  ${leasedBy === undefined ? "" : `select pg_advisory_xact_lock_shared(${schemaKey(`'${leaseName(leasedBy)}'`)});`}
  select pg_advisory_xact_lock(${schemaKey("'writer'")})`;
}

const KEPT_PLANS = planSettings({ areKept: true, isLocal: true });
const NO_WAIT_FOR_DISK = "set_config('synchronous_commit', 'off', true)";

const ROWS_PER_FETCH = 500;

type ClosableWriter = Writer & { readonly close: () => Promise<void> };

/** Fails when the server cannot be reached, so that a wrong URL is found at the start. */
export async function openPostgres(
  url: string,
  options: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const {
    instance = ONLY_INSTANCE,
    maxReaders = 8,
    maxStreams = 4,
    statementTimeoutMs = 30_000,
    lockTimeoutMs = 10_000,
    idleTimeoutMs = 10_000,
    connectTimeoutMs = 10_000,
    streamIdleTimeoutMs = STREAM_IDLE_TIMEOUT_MS,
  } = options;
  const settings = { instance, statementTimeoutMs, lockTimeoutMs, connectTimeoutMs };
  const servers = postgresServers(url);
  const watches = createWatches();
  const open = (
    idleMs: number,
    purpose: "read" | "write",
    own: Pick<ConnectionSettings, "onNotify" | "keepsPlans"> = {},
  ) => servers.open({ ...settings, idleTimeoutMs: idleMs, ...own }, purpose);
  const createReaders = (size: number, idleMs: number, keepsPlans: boolean) =>
    createPool(() => open(idleMs, "read", { keepsPlans }), { size, waitTimeoutMs: lockTimeoutMs });
  // A plan for a token check or a page takes longer than its execution, so readers keep plans (decision 17).
  const readers = createReaders(maxReaders, idleTimeoutMs, true);
  // A stream that stalls is ended here; the server does so when this process is gone.
  const streams = createReaders(maxStreams, 2 * streamIdleTimeoutMs, false);
  // The queue ends an idle transaction; the server does so when this process is gone.
  const writer = createWriter(
    () => open(2 * idleTimeoutMs, "write"),
    beginWriting(options.leasedBy),
  );
  const queue = createWriteQueue(writer, idleTimeoutMs, options.observer?.commit);
  const notifier = createNotifier((channel) =>
    readers.use((connection) => sendNotification(connection, channel)),
  );

  const read = <T>(run: (connection: PostgresConnection) => Promise<T>) =>
    retryConflicts(() => readers.use(run));

  async function close(): Promise<void> {
    await Promise.all([queue.close(), watches.closeAll()]);
    await notifier.close();
    await Promise.all([writer.close(), readers.close(), streams.close()]);
  }

  try {
    await readers.use((connection) => connection.query("select 1"));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    dialect: "postgres",
    instance,
    query: (sql, params) => read((connection) => connection.query(sql, params)),
    queryRows: (sql, rows, params) => read((connection) => connection.queryRows(sql, rows, params)),
    transaction: queue.transaction,
    stream: (sql, params) => streamRows(streams, streamIdleTimeoutMs, sql, params),
    watch(channel, onCommit) {
      const openListening = async (onNotify: () => void) => {
        // Only the server that is written to has notifications.
        const connection = await open(idleTimeoutMs, "write", { onNotify });
        try {
          await listenTo(connection, channel);
        } catch (error) {
          void connection.close();
          throw error;
        }
        return connection;
      };
      return watches.add(watchNotifications(openListening, onCommit));
    },
    notify: notifier.notify,
    close,
  };
}

function createWriter(open: () => Promise<PostgresConnection>, begin: string): ClosableWriter {
  let connection: PostgresConnection | null = null;

  function current(): PostgresConnection {
    if (connection === null) throw new StorageUnavailableError("a transaction was lost");
    return connection;
  }

  return {
    begin: async ({ keepsPlans, mayBeLost }) => {
      const isReused = connection !== null && !connection.isLost();
      const used = connection !== null && isReused ? connection : await open();
      connection = used;
      try {
        const settings = [keepsPlans && KEPT_PLANS, mayBeLost && NO_WAIT_FOR_DISK];
        await used.command([begin, ...settings.filter(Boolean)].join(", "));
      } catch (error) {
        // An idle connection may be found dead; nothing was written, so all can run again.
        throw isReused && used.isLost() ? new TransactionConflictError() : error;
      }
    },
    query: (sql, params) => current().query(sql, params),
    queryRows: (sql, rows, params) => current().queryRows(sql, rows, params),
    writeAll: (statements) => current().writeAll(statements),
    script: (sql) => current().script(sql),
    command: (sql) => current().command(sql),
    commit: async (statements) => {
      if (await current().commit(statements)) return;
      throw new StorageUnavailableError("a transaction was lost");
    },
    rollback: async () => {
      if (connection !== null) await rollbackOrClose(connection);
    },
    isOpen: () => connection !== null && !connection.isLost(),
    close: async () => connection?.close(),
  };
}

async function* streamRows<T extends Row>(
  pool: Pool<PostgresConnection>,
  idleTimeoutMs: number,
  sql: string,
  params?: readonly SqlValue[],
): AsyncGenerator<T> {
  const cursor = cursorOf(sql);
  const connection = await pool.acquire();
  const end = async () => {
    await rollbackOrClose(connection);
    pool.release(connection);
  };
  const consumer = watchConsumer(idleTimeoutMs, () => void end());
  try {
    await connection.command("begin isolation level repeatable read read only");
    await connection.query(`declare ${cursor} no scroll cursor for ${sql}`, params);
    for (;;) {
      const rows = await connection.query<T>(`fetch forward ${ROWS_PER_FETCH} from ${cursor}`);
      for (const row of rows) {
        consumer.wait();
        yield row;
        consumer.progress();
      }
      if (rows.length < ROWS_PER_FETCH) return;
    }
  } finally {
    consumer.stop();
    if (!consumer.isStalled()) await end();
  }
}

/** The library caches columns by the statement's text, so fetches of different cursors must differ in it. */
function cursorOf(sql: string): string {
  return `rows_${createHash("sha256").update(sql).digest("hex").slice(0, 24)}`;
}

async function rollbackOrClose(connection: PostgresConnection): Promise<void> {
  if (connection.isLost()) return;
  try {
    await connection.command("rollback");
  } catch {
    await connection.close();
  }
}
