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
import { parseTimeline, TIMELINE_ITEM } from "./postgres-history.ts";
import {
  inspectSession,
  localSettings,
  sessionSettings,
  type PostgresSession,
  type SessionTimes,
  type Settings,
} from "./postgres-session.ts";
import { openPostgresSocket } from "./postgres-socket.ts";
import { POSTGRES_TYPES } from "./postgres-types.ts";
import { allRowsParameters, allRowsStatement, combineStatements } from "./rows.ts";
import { createStatementQueue } from "./statement-queue.ts";

export interface PostgresConnection extends Queryable {
  readonly session: PostgresSession;
  /** By the clock of the process. */
  readonly openedAt: number;
  /**
   * Begins a transaction for an instance, and returns the rows of its last statement, which may be a second one that
   * runs in it. `settings` are those of the transaction alone, as the list of a `select`.
   */
  begin<T extends Row>(
    instance: number,
    mode: string,
    settings: string,
    then?: string,
  ): Promise<T[]>;
  /** One statement in a transaction of its own, all of which is sent at once. */
  readAlone<T extends Row>(
    instance: number,
    sql: string,
    params?: readonly SqlValue[],
  ): Promise<T[]>;
  writeAll(statements: readonly Statement[]): Promise<void>;
  /** Several statements without parameters, sent at once; the rows are those of the last `select`. */
  runAll<T extends Row>(sql: string): Promise<T[]>;
  /** The same for migrations: it takes as long as it takes. */
  script(sql: string): Promise<void>;
  /** Runs a statement about the transaction, such as one about savepoints. */
  command(sql: string): Promise<void>;
  /**
   * Writes, and commits without waiting for the write: the server rolls back when a write has
   * failed. Returns whether the transaction was committed.
   */
  commit(statements: readonly Statement[]): Promise<boolean>;
  /** From now on `onTimeline` is called at the beginning of each transaction, which a pooler may give to another server. */
  followTimeline(onTimeline: OnTimeline): void;
  isLost(): boolean;
  close(): Promise<void>;
}

type OnTimeline = (server: { readonly timeline: number }) => void;

export interface ConnectionSettings extends SessionTimes {
  readonly connectTimeoutMs: number;
  /** Called with the payload of each notification of a channel that the connection listens to. */
  readonly onNotify?: (payload: string) => void;
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
  const { inOrder, askNow } = statements;
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

  const timeoutMs = settings.statementTimeoutMs + RESPONSE_GRACE_MS;
  const { isPooled } = address;
  // A pooler may send each transaction to another session, which does not know the statements of this one.
  const options = { prepare: !isPooled, simple: false };
  const asked = isPooled ? [localSettings(requestedSettings(address, settings))] : [];
  let onTimeline: OnTimeline | null = null;
  const beginText = (instance: number, mode: string, ...own: readonly string[]) =>
    [
      `begin ${mode}`,
      // An engine that spreads its tables over servers tells them of `set local`, and not of `set_config`.
      `set local "trellis.instance" = '${instance}'`,
      ...(asked.length + own.length > 0 ? [`select ${[...asked, ...own].join(", ")}`] : []),
    ].join(";\n");
  const sendBegin = async (text: string) => {
    const results = await send(text);
    const timeline = onTimeline === null ? null : readTimeline(results);
    if (timeline !== null) onTimeline?.({ timeline });
    return results;
  };
  const send = (sql: string) => askNow(() => client.unsafe(sql), timeoutMs);
  const ask = (sql: string, params: readonly SqlValue[] = []) =>
    askNow(() => client.unsafe<Row[]>(sql, [...params], options), timeoutMs);
  const query = async <T extends Row>(sql: string, params?: readonly SqlValue[]) =>
    Array.from(await inOrder(() => ask(sql, params))) as unknown as T[];
  const sendWrites = (writes: readonly Statement[]) => {
    const { sql, params } = combineStatements(writes);
    return ask(sql, params);
  };

  const session = await inspectSession(
    (sql) => askNow(() => client.unsafe<Row[]>(sql, [], options), settings.connectTimeoutMs),
    isPooled,
  ).catch((error: unknown) => {
    void close();
    throw error;
  });
  return {
    session,
    openedAt: performance.now(),
    query,
    queryRows: async (sql, rows, params = []) => {
      if (rows.rows.length === 0) return [];
      const text = allRowsStatement(sql, rows.columns, params.length + 1);
      return query(text, [...params, ...allRowsParameters(rows)]);
    },
    begin: async <T extends Row>(instance: number, mode: string, own: string, then?: string) => {
      const begun = beginText(instance, mode, own);
      const text = then === undefined ? begun : `${begun};\n${then}`;
      return selectedRows<T>(await inOrder(() => sendBegin(text)));
    },
    readAlone: async <T extends Row>(
      instance: number,
      sql: string,
      params?: readonly SqlValue[],
    ) => {
      await statements.settled();
      const [begun, read, ended] = await Promise.allSettled([
        sendBegin(beginText(instance, READ_ONLY)),
        ask(sql, params),
        send("commit"),
      ]);
      for (const each of [begun, read, ended]) if (each.status === "rejected") throw each.reason;
      return Array.from((read as PromiseFulfilledResult<Row[]>).value) as T[];
    },
    writeAll: async (writes) => void (await inOrder(() => sendWrites(writes))),
    runAll: async <T extends Row>(sql: string) => selectedRows<T>(await inOrder(() => send(sql))),
    // A migration may rebuild a whole table, so the rest of its transaction has no time limit.
    script: async (sql) => {
      const text = `select set_config('statement_timeout', '0', true);\n${sql}`;
      await inOrder(() => askNow(() => client.unsafe(text), null));
    },
    command: async (sql) => void (await inOrder(() => send(sql))),
    commit: async (writes) => {
      await statements.settled();
      const writing = writes.length === 0 ? null : sendWrites(writes);
      const [written, ended] = await Promise.allSettled([writing, send("commit")]);
      if (written.status === "rejected") throw written.reason;
      if (ended.status === "rejected") throw ended.reason;
      return ended.value.command === "COMMIT";
    },
    followTimeline(follow) {
      if (onTimeline === null) asked.push(TIMELINE_ITEM);
      onTimeline = follow;
    },
    isLost: statements.isLost,
    close,
  };
}

/** Every transaction says so itself, because what was not begun must not write. */
const READ_ONLY = "isolation level read committed read only";

/** The rows of the last `select` of several statements: the library has a list for each statement with rows. */
function selectedRows<T>(results: readonly unknown[]): T[] {
  const last = results.at(-1);
  return Array.from((Array.isArray(last) ? last : results) as readonly T[]);
}

function readTimeline(results: readonly unknown[]): number | null {
  for (const [row] of results as (readonly { readonly timeline?: string | null }[])[]) {
    if (typeof row?.timeline === "string") return parseTimeline(row.timeline);
  }
  return null;
}

/** What a connection asks for at its start, or each of its transactions. */
function requestedSettings(address: PostgresAddress, times: SessionTimes): Settings {
  return { ...sessionSettings(times), ...address.settings };
}

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
  address: PostgresAddress,
  socket: Socket,
  settings: ConnectionSettings,
  onLost: () => void,
) {
  const { user, password, database, isPooled } = address;
  const { application_name: name = "trellis", ...others } = requestedSettings(address, settings);
  const { onNotify } = settings;
  return postgres({
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    ...(database === null ? {} : { database }),
    ...({
      socket: giveOnce(socket),
      ...(onNotify && { onnotify: (_channel: string, payload: string) => onNotify(payload) }),
    } as object),
    ssl: false,
    max: 1,
    fetch_types: false,
    connect_timeout: Math.ceil(settings.connectTimeoutMs / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    debug: false,
    onnotice: () => {},
    onclose: onLost,
    connection: { application_name: name, ...(isPooled ? {} : others) },
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
