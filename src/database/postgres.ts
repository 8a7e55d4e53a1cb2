/** The store of several processes or machines: a PostgreSQL server. */
import { retryConflicts } from "./conflicts.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import type { DatabaseObserver } from "./database-observer.ts";
import { bindInstance, ONLY_INSTANCE } from "./instance-parameter.ts";
import type { PostgresLease } from "./postgres-leases.ts";
import { PROCESS_SETTINGS, usePostgres, type ProcessSettings } from "./postgres-process.ts";
import { localSettings } from "./postgres-session.ts";
import { streamPostgresRows } from "./postgres-stream.ts";
import { createPostgresWriter } from "./postgres-writer.ts";
import { allRowsParameters, allRowsStatement } from "./rows.ts";
import { createWatches } from "./watch-commits.ts";
import { STREAM_IDLE_TIMEOUT_MS } from "./watch-consumer.ts";
import { createWriteQueue } from "./write-queue.ts";

export interface PostgresDatabase extends Database {
  readonly dialect: "postgres";
}

export interface PostgresOptions extends Partial<Omit<ProcessSettings, "lanes">> {
  /** Whose rows are seen and written; row security hides those of all others. */
  readonly instance?: number;
  /** The leases of the caller: without them a writer writes no more. */
  readonly leases?: readonly PostgresLease[];
  /** How long a transaction may be idle. */
  readonly idleTimeoutMs?: number;
  /** Connections for queries, of those that all instances of the process share. */
  readonly maxReaders?: number;
  readonly streamIdleTimeoutMs?: number;
  readonly observer?: DatabaseObserver;
}

/** With the time of the server, which is twice as long, a writer that sleeps is ended before its lease. */
const TRANSACTION_IDLE_MS = 4000;

/** Fails when the server cannot be reached, so that a wrong URL is found at the start. */
export async function openPostgres(
  url: string,
  options: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const {
    instance = ONLY_INSTANCE,
    leases = [],
    idleTimeoutMs = TRANSACTION_IDLE_MS,
    streamIdleTimeoutMs = STREAM_IDLE_TIMEOUT_MS,
  } = options;
  const settings = processSettings(options);
  const process = await usePostgres(url, settings);
  const { pool, notices } = process;
  const watches = createWatches();
  // The queue ends an idle transaction; the server does so when this process sleeps or is gone.
  const writer = createPostgresWriter(process, {
    instance,
    leases,
    idleTimeoutMs: 2 * idleTimeoutMs,
    waitMs: settings.lockTimeoutMs,
  });
  const queue = createWriteQueue(writer, idleTimeoutMs, options.observer?.commit);
  const own = localSettings({ "trellis.instance": String(instance) });
  const bind = (sql: string, params: readonly SqlValue[] = []) =>
    bindInstance(sql, params, instance);
  const read = <T extends Row>({ sql, params }: ReturnType<typeof bind>) =>
    retryConflicts(() =>
      pool.use({ line: instance, lane: "read" }, ({ readAlone }) => readAlone<T>(own, sql, params)),
    );
  return {
    dialect: "postgres",
    instance,
    query: (sql, params) => read(bind(sql, params)),
    queryRows: async (text, rows, given) => {
      if (rows.rows.length === 0) return [];
      const { sql, params } = bind(text, given);
      return read({
        sql: allRowsStatement(sql, rows.columns, params.length + 1),
        params: [...params, ...allRowsParameters(rows)],
      });
    },
    transaction: queue.transaction,
    stream: (sql, params) =>
      streamPostgresRows(pool, { instance, idleTimeoutMs: streamIdleTimeoutMs }, sql, params),
    watch: (channel, onCommit) => watches.add(notices.watch(instance, channel, onCommit)),
    async close() {
      await Promise.all([queue.close(), watches.closeAll()]);
      await process.release();
    },
  };
}

/** Instances with the same settings share a pool. */
function processSettings(options: PostgresOptions): ProcessSettings {
  const { maxReaders = PROCESS_SETTINGS.lanes.read } = options;
  return {
    ...PROCESS_SETTINGS,
    statementTimeoutMs: options.statementTimeoutMs ?? PROCESS_SETTINGS.statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs ?? PROCESS_SETTINGS.lockTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? PROCESS_SETTINGS.connectTimeoutMs,
    lanes: { ...PROCESS_SETTINGS.lanes, read: maxReaders },
  };
}
