/**
 * One connection to a server: a client of the library with a pool of one. The library replaces a lost
 * connection by itself, and would run the rest of a transaction on the new one; so a client that has
 * lost its connection is not used again, and gets one statement at a time, because it would keep those
 * that wait for the new one. Only a commit is sent without waiting for the write before it. Nor does the
 * library settle every statement of a connection that was reset.
 */
import type { Socket } from "node:net";
import postgres from "postgres";
import type { Queryable, Row, SqlValue, Statement } from "./database.ts";
import type { PostgresAddress, PostgresServer } from "./postgres-address.ts";
import { toPostgresError } from "./postgres-errors.ts";
import {
  configureSession,
  type PostgresSession,
  type SessionSettings,
} from "./postgres-session.ts";
import { openPostgresSocket } from "./postgres-socket.ts";
import { POSTGRES_TYPES } from "./postgres-types.ts";
import { allRowsParameters, allRowsStatement, combineStatements } from "./rows.ts";
import { bindInstance, ONLY_INSTANCE, writeInstance } from "./instance-parameter.ts";
import { createStatementQueue } from "./statement-queue.ts";

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

export interface ConnectionSettings extends SessionSettings {
  readonly connectTimeoutMs: number;
  /** Called for each notification of a channel that the connection listens to. */
  readonly onNotify?: () => void;
  /** Called when the connection has ended, also by `close`. */
  readonly onLost?: () => void;
}

/** The server ends a statement that takes too long; if it does not respond, the connection is closed. */
const RESPONSE_GRACE_MS = 5_000;
const CLOSE_TIMEOUT_SECONDS = 2;

export async function openPostgresConnection(
  address: PostgresAddress,
  server: PostgresServer,
  settings: ConnectionSettings,
): Promise<PostgresConnection> {
  const statements = createStatementQueue(() => void close());
  const { ask, askNow } = statements;
  const socket = await openSocket(address, server, settings);
  const client = createClient(address, socket, settings, () => {
    statements.rejectAll();
    settings.onLost?.();
  });

  async function close(): Promise<void> {
    const wasLost = statements.isLost();
    statements.lose();
    await client.end({ timeout: wasLost ? 0 : CLOSE_TIMEOUT_SECONDS });
  }

  const { instance = ONLY_INSTANCE } = settings;
  const timeoutMs = settings.statementTimeoutMs + RESPONSE_GRACE_MS;
  const bind = ({ sql, params = [] }: Statement) => bindInstance(sql, params, instance);
  const query = async <T extends Row>(sql: string, params: readonly SqlValue[] = []) => {
    const bound = bind({ sql, params });
    return Array.from(
      await ask(() => client.unsafe<T[]>(bound.sql, [...bound.params], PREPARED), timeoutMs),
    );
  };
  const send = (sql: string) => askNow(() => client.unsafe(sql), timeoutMs);
  const sendAll = (writes: readonly Statement[]) => {
    const { sql, params } = combineStatements(
      writes.map((write) => ({ ...write, ...bind(write) })),
    );
    return askNow(() => client.unsafe(sql, [...params], PREPARED), timeoutMs);
  };

  const session = await configureSession(
    (sql, params) => ask(() => client.unsafe(sql, params, PREPARED), settings.connectTimeoutMs),
    settings,
  ).catch((error: unknown) => {
    void close();
    throw error;
  });
  return {
    session,
    query,
    queryRows: async (sql, rows, params = []) => {
      if (rows.rows.length === 0) return [];
      const bound = bind({ sql, params });
      const text = allRowsStatement(bound.sql, rows.columns, bound.params.length + 1);
      return query(text, [...bound.params, ...allRowsParameters(rows)]);
    },
    writeAll: async (writes) => {
      const { sql, params } = combineStatements(
        writes.map((write) => ({ ...write, ...bind(write) })),
      );
      await query(sql, params);
    },
    // A migration may rebuild a whole table, so the rest of its transaction has no time limit.
    script: async (sql) => {
      const text = writeInstance(sql, instance);
      await ask(() => client.unsafe(`set local statement_timeout = 0;\n${text}`), null);
    },
    command: async (sql) => {
      await ask(() => client.unsafe(sql), timeoutMs);
    },
    commit: async (writes) => {
      await statements.settled();
      const writing = writes.length === 0 ? null : sendAll(writes);
      const [written, ended] = await Promise.allSettled([writing, send("commit")]);
      if (written.status === "rejected") throw written.reason;
      if (ended.status === "rejected") throw ended.reason;
      return ended.value.command === "COMMIT";
    },
    isLost: statements.isLost,
    close,
  };
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
