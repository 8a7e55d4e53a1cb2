/**
 * One connection to a server: a client of the library with a pool of one. The library replaces a lost
 * connection by itself, and would run the rest of a transaction on the new one; so a client that has
 * lost its connection is not used again, and gets one statement at a time, because it would keep those
 * that wait for the new one. Only a commit is sent without waiting for the write before it. Nor does the
 * library settle every statement of a connection that was reset.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import postgres from "postgres";
import {
  StorageUnavailableError,
  type Queryable,
  type Row,
  type SqlValue,
  type Statement,
} from "./database.ts";
import type { PostgresAddress, PostgresServer } from "./postgres-address.ts";
import { isConnectionFailure, toPostgresError } from "./postgres-errors.ts";
import { timeoutError, openPostgresSocket } from "./postgres-socket.ts";
import { POSTGRES_TYPES } from "./postgres-types.ts";
import { allRowsParameters, allRowsStatement, combineStatements } from "./rows.ts";

export interface PostgresConnection extends Queryable {
  readonly session: PostgresSession;
  writeAll(statements: readonly Statement[]): Promise<void>;
  /** Several statements without parameters, for migrations. */
  script(sql: string): Promise<void>;
  /** Runs a statement about the transaction, such as one about savepoints. */
  command(sql: string): Promise<void>;
  /**
   * Writes, and commits without waiting for the write: the server rolls back when a write has
   * failed. Returns whether the transaction was committed.
   */
  commit(statements: readonly Statement[]): Promise<boolean>;
  isLost(): boolean;
  close(): Promise<void>;
}

/** What a session was when it was opened. */
export interface PostgresSession {
  /** A random id that the session keeps as a setting. */
  readonly marker: string;
  readonly isStandby: boolean;
  /** Whether the session is read-only by itself: on a standby, or by default of its server or role. */
  readonly isReadOnly: boolean;
}

export interface ConnectionSettings {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Whether the plan of a statement is made once; every statement must have only one good plan. */
  readonly keepsPlans?: boolean;
  /** Called for each notification of a channel that the connection listens to. */
  readonly onNotify?: () => void;
}

/** The server ends a statement that takes too long; if it does not respond, the connection is closed. */
const RESPONSE_GRACE_MS = 5_000;
const CLOSE_TIMEOUT_SECONDS = 2;

/**
 * An acknowledged write must be on the disk, whatever the default of the server is. Only a transaction
 * that begins as one can write: a statement whose begin has failed writes nothing.
 *
 * And every statement finds its rows by an index (decision 23): no sequential scan where there is an
 * index, nor a join that reads a whole table once.
 */
const configureStatement = (areKept: boolean) => `
  select current_setting('trellis.session', true) as marker, pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only') = 'on' as is_read_only,
    set_config('trellis.session', $4, false),
    set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false),
    set_config('default_transaction_read_only', 'on', false),
    set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
    set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false),
    ${choosePlans({ areKept, isLocal: false })},
    set_config('synchronous_commit', case current_setting('synchronous_commit')
      when 'off' then 'on' else current_setting('synchronous_commit') end, false)
`;

/**
 * The settings of plans, for the list of a `select`: for the session, or for the transaction alone. Plans
 * are made for each execution, by the size that tables have then: a kept plan, made while they were small,
 * would read all of an index for ever. Where plans are kept all the same, a bitmap is no choice, nor a sort
 * where an index has the order: both would read all rows for the first ones.
 */
export function choosePlans({
  areKept,
  isLocal,
}: {
  readonly areKept: boolean;
  readonly isLocal: boolean;
}): string {
  const [mode, bitmapOrSort] = areKept
    ? ["force_generic_plan", "off"]
    : ["force_custom_plan", "on"];
  return `set_config('plan_cache_mode', '${mode}', ${isLocal}),
    set_config('enable_bitmapscan', '${bitmapOrSort}', ${isLocal}),
    set_config('enable_sort', '${bitmapOrSort}', ${isLocal})`;
}

export async function openPostgresConnection(
  address: PostgresAddress,
  server: PostgresServer,
  settings: ConnectionSettings,
): Promise<PostgresConnection> {
  let isLost = false;
  /** The statements that the server has not responded to yet. */
  const pending = new Set<PendingStatement>();
  let last: Promise<unknown> = Promise.resolve();
  const socket = await openSocket(address, server, settings);
  const client = createClient(address, socket, settings, () => {
    isLost = true;
    for (const { reject } of pending) reject(connectionError());
  });

  async function close(): Promise<void> {
    const wasLost = isLost;
    isLost = true;
    await client.end({ timeout: wasLost ? 0 : CLOSE_TIMEOUT_SECONDS });
  }

  /** Sends a statement after the responses to those before it; a null `timeoutMs` is no deadline. */
  function ask<T>(query: () => PromiseLike<T>, timeoutMs: number | null): Promise<T> {
    const response = last.then(() => askNow(query, timeoutMs));
    last = response.catch(() => {});
    return response;
  }

  async function askNow<T>(query: () => PromiseLike<T>, timeoutMs: number | null): Promise<T> {
    if (isLost) throw connectionError();
    const interrupted = Promise.withResolvers<never>();
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(() => {
            interrupted.reject(timeoutError());
            isLost = true;
            void close();
          }, timeoutMs);
    const statement = { reject: interrupted.reject, timer };
    pending.add(statement);
    try {
      return await Promise.race([query(), interrupted.promise]);
    } catch (error) {
      // The library reports the end of a connection only some time after its failure.
      if (isConnectionFailure(error)) isLost = true;
      throw toPostgresError(error);
    } finally {
      clearTimeout(timer);
      pending.delete(statement);
      // The server turns to the next statement only now, so its time begins now.
      for (const next of pending) next.timer?.refresh();
    }
  }

  const timeoutMs = settings.statementTimeoutMs + RESPONSE_GRACE_MS;
  const query = async <T extends Row>(sql: string, params: readonly SqlValue[] = []) => {
    return Array.from(await ask(() => client.unsafe<T[]>(sql, [...params], PREPARED), timeoutMs));
  };
  const send = (sql: string) => askNow(() => client.unsafe(sql), timeoutMs);
  const sendAll = (statements: readonly Statement[]) => {
    const { sql, params } = combineStatements(statements);
    return askNow(() => client.unsafe(sql, [...params], PREPARED), timeoutMs);
  };

  async function configure(): Promise<PostgresSession> {
    const { statementTimeoutMs, lockTimeoutMs, idleTimeoutMs, keepsPlans = false } = settings;
    const timeouts = [statementTimeoutMs, lockTimeoutMs, idleTimeoutMs].map(String);
    const marker = randomUUID();
    try {
      const [row] = await ask(
        () =>
          client.unsafe<ConfiguredRow[]>(
            configureStatement(keepsPlans),
            [...timeouts, marker],
            PREPARED,
          ),
        settings.connectTimeoutMs,
      );
      // After a reset the setting is empty, not null.
      if (row?.marker) throw sharedSessionError();
      return { marker, isStandby: row?.is_standby === 1, isReadOnly: row?.is_read_only === 1 };
    } catch (error) {
      void close();
      throw error;
    }
  }

  return {
    session: await configure(),
    query,
    queryRows: async (sql, rows, params = []) => {
      if (rows.rows.length === 0) return [];
      const text = allRowsStatement(sql, rows.columns, params.length + 1);
      return query(text, [...params, ...allRowsParameters(rows)]);
    },
    writeAll: async (statements) => {
      const { sql, params } = combineStatements(statements);
      await query(sql, params);
    },
    // A migration may rebuild a whole table, so the rest of its transaction has no time limit.
    script: async (sql) => {
      await ask(() => client.unsafe(`set local statement_timeout = 0;\n${sql}`), null);
    },
    command: async (sql) => {
      await ask(() => client.unsafe(sql), timeoutMs);
    },
    commit: async (statements) => {
      await last;
      const writing = statements.length === 0 ? null : sendAll(statements);
      const [written, ended] = await Promise.allSettled([writing, send("commit")]);
      if (written.status === "rejected") throw written.reason;
      if (ended.status === "rejected") throw ended.reason;
      return ended.value.command === "COMMIT";
    },
    isLost: () => isLost,
    close,
  };
}

interface PendingStatement {
  readonly reject: (error: Error) => void;
  /** The deadline of the statement; undefined when it has none. */
  readonly timer: NodeJS.Timeout | undefined;
}

function connectionError(): Error {
  return new StorageUnavailableError("the connection failed");
}

interface ConfiguredRow extends Row {
  readonly marker: string | null;
  readonly is_standby: number;
  readonly is_read_only: number;
}

/** A pooler in transaction mode loses settings and locks between transactions, or gives them to others. */
export function sharedSessionError(): Error {
  return new StorageUnavailableError(
    "the address leads to a pooler that shares sessions between connections, but session locks and settings need a session of their own: use session pooling (PgBouncer: pool_mode = session, server_reset_query = DISCARD ALL) or connect to the server directly",
  );
}

/** Without these options the library does not prepare a statement that has no parameters. */
const PREPARED = { prepare: true, simple: false };

async function openSocket(
  { tls }: PostgresAddress,
  server: PostgresServer,
  { connectTimeoutMs }: ConnectionSettings,
): Promise<Socket> {
  try {
    return await openPostgresSocket(server, tls, connectTimeoutMs);
  } catch (error) {
    throw toPostgresError(error);
  }
}

function createClient(
  { user, password, database, settings }: PostgresAddress,
  socket: Socket,
  { connectTimeoutMs, onNotify }: ConnectionSettings,
  onLost: () => void,
) {
  return postgres({
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    ...(database === null ? {} : { database }),
    ...({ socket: giveOnce(socket), onnotify: onNotify } as object),
    ssl: false,
    max: 1,
    fetch_types: false,
    connect_timeout: Math.ceil(connectTimeoutMs / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    debug: false,
    onnotice: () => {},
    onclose: onLost,
    connection: { application_name: "trellis", ...settings },
    types: POSTGRES_TYPES,
  });
}

/**
 * Gives the library its socket once. It would otherwise connect again at once and without end while
 * something, such as a proxy without its server, accepts connections and closes them.
 */
function giveOnce(socket: Socket): () => Socket {
  let isGiven = false;
  return () => {
    if (isGiven || socket.destroyed) {
      throw Object.assign(new Error("The connection was closed"), { code: "CONNECTION_CLOSED" });
    }
    isGiven = true;
    return socket;
  };
}
