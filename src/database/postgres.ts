/** The store of several processes or machines: a PostgreSQL server. */
import { retryConflicts } from "./conflicts.ts";
import type { Database, Row, RowSet, SqlValue } from "./database.ts";
import type { DatabaseObserver } from "./database-observer.ts";
import { bindInstance, ONLY_INSTANCE } from "./instance-parameter.ts";
import type { PostgresLease } from "./postgres-leases.ts";
import {
  PROCESS_SETTINGS,
  usePostgres,
  type PostgresProcess,
  type ProcessSettings,
} from "./postgres-process.ts";
import { streamPostgresRows } from "./postgres-stream.ts";
import { createPostgresWriter, type PostgresWriterSettings } from "./postgres-writer.ts";
import { allRowsParameters, allRowsStatement } from "./rows.ts";
import { createServerGuard, NO_GUARD } from "./server-guard.ts";
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

const TRANSACTION_IDLE_MS = 10_000;
/** The server ends the transaction of a process that sleeps: a little later than the process would itself. */
const SLEEP_MS = 2000;

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
  const watches = createWatches();
  const handles = {
    instance,
    leases,
    idleTimeoutMs,
    streamIdleTimeoutMs,
    waitMs: settings.lockTimeoutMs,
  };
  const guard = createServerGuard(process.watchServer);
  const { close: closeGuarded, ...guarded } = createHandle(process, { ...handles, guard }, options);
  const { close: closeUnguarded, ...unguarded } = createHandle(
    process,
    { ...handles, guard: NO_GUARD },
    options,
  );
  const watch: Database["watch"] = (channel, onCommit) =>
    watches.add(process.notices.watch(instance, channel, onCommit));
  return {
    ...guarded,
    watch,
    onServerChange: (check) =>
      guard.onChange(() =>
        check({ ...unguarded, watch, onServerChange() {}, close: async () => {} }),
      ),
    async close() {
      guard.close();
      await Promise.all([closeGuarded(), closeUnguarded(), watches.closeAll()]);
      await process.release();
    },
  };
}

interface HandleSettings extends Omit<PostgresWriterSettings, "idleTimeoutMs"> {
  readonly idleTimeoutMs: number;
  readonly streamIdleTimeoutMs: number;
}

/** The statements and transactions of an instance. */
function createHandle(
  process: PostgresProcess,
  settings: HandleSettings,
  { observer }: Pick<PostgresOptions, "observer">,
) {
  const { pool } = process;
  const { instance, idleTimeoutMs, streamIdleTimeoutMs, guard } = settings;
  // The queue ends an idle transaction; the server does so when this process sleeps or is gone.
  const writer = createPostgresWriter(process, {
    ...settings,
    idleTimeoutMs: idleTimeoutMs + SLEEP_MS,
  });
  const queue = createWriteQueue(writer, idleTimeoutMs, observer?.commit);
  const bind = (sql: string, params: readonly SqlValue[] = []) =>
    bindInstance(sql, params, instance);

  async function read<T extends Row>({ sql, params }: ReturnType<typeof bind>): Promise<T[]> {
    for (;;) {
      await guard.pending();
      const rows = await retryConflicts(() =>
        pool.use({ line: instance, lane: "read" }, ({ readAlone }) =>
          readAlone<T>(instance, sql, params),
        ),
      );
      // The connection may have been the first one to another server.
      if (guard.pending() === null) return rows;
    }
  }

  return {
    dialect: "postgres" as const,
    instance,
    query: <T extends Row>(sql: string, params?: readonly SqlValue[]) => read<T>(bind(sql, params)),
    queryRows: async <T extends Row>(text: string, rows: RowSet, given?: readonly SqlValue[]) => {
      if (rows.rows.length === 0) return [];
      const { sql, params } = bind(text, given);
      return read<T>({
        sql: allRowsStatement(sql, rows.columns, params.length + 1),
        params: [...params, ...allRowsParameters(rows)],
      });
    },
    transaction: queue.transaction,
    stream: <T extends Row>(sql: string, params?: readonly SqlValue[]) =>
      streamPostgresRows<T>(
        pool,
        { instance, guard, idleTimeoutMs: streamIdleTimeoutMs },
        sql,
        params,
      ),
    close: queue.close,
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
