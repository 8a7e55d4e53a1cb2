/** The embedded store: one file, one writer with group commit, readers beside it. */
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as wait, setImmediate as nextTurn } from "node:timers/promises";
import { StorageUnavailableError } from "./database.ts";
import type { Database, Queryable, Row, SqlValue } from "./database.ts";
import { createLoneQuery } from "./lone-query.ts";
import { backUpFile, checkFile } from "./sqlite-backup.ts";
import { openConnection } from "./sqlite-connection.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { isBusy, toReadError, toSqliteError } from "./sqlite-errors.ts";
import { createWriteQueue } from "./write-queue.ts";
import type { Writer } from "./write-queue.ts";

export interface SqliteDatabase extends Database {
  readonly dialect: "sqlite";
  /** Copies the store as it is now to a new file while others write; it is on the disk when this ends. */
  backupTo(path: string): Promise<void>;
  /** What is wrong with the file, in SQLite's words; nothing when it is sound. Holds up the process. */
  integrityCheck(): Promise<string[]>;
}

export interface SqliteOptions {
  /** How long a lock of another process is waited for. */
  readonly busyTimeoutMs?: number;
  /** How long a transaction may be left alone by its work. */
  readonly idleTimeoutMs?: number;
}

/** How long a stream reads before others have their turn. */
const STREAM_TURN_MS = 4;

/** A store in memory is refused: nothing in it would survive, and its connections would not share it. */
export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
): Promise<SqliteDatabase> {
  if (path === "" || path === ":memory:") {
    throw new Error("A SQLite store needs the path of a file: it keeps what is written");
  }
  const { busyTimeoutMs = 10_000, idleTimeoutMs = 10_000 } = options;
  const file = resolve(path);
  await createPrivateFile(file);
  const opened: SqliteConnection[] = [];
  const streams = new Set<SqliteConnection>();
  let isClosed = false;

  function retry<T>(run: () => T, toError: (error: unknown) => unknown): Promise<T> {
    return retryWhileBusy(run, busyTimeoutMs, toError);
  }

  async function openNext(isReader: boolean): Promise<SqliteConnection> {
    const connection = await retry(() => openConnection(file, { isReader }), toSqliteError);
    opened.push(connection);
    return connection;
  }

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailableError("it is closed");
  }

  const closeConnections = () => {
    for (const { handle } of [...opened, ...streams]) if (handle.isOpen) handle.close();
  };
  let writing: SqliteConnection;
  let reading: SqliteConnection;
  try {
    writing = await openNext(false);
    await retry(() => prepareFile(writing), toSqliteError);
    reading = await openNext(true);
  } catch (error) {
    closeConnections();
    throw error;
  }

  const queue = createWriteQueue(createWriter(writing, retry), idleTimeoutMs);
  const reader: Queryable = {
    query: async (sql, params) => {
      assertOpen();
      return retry(() => reading.all(sql, params), toReadError);
    },
    queryRows: async (sql, rows, params) => {
      assertOpen();
      return retry(
        () => inOneView(reading, () => reading.allForRows(sql, rows, params)),
        toReadError,
      );
    },
  };

  async function* stream<T extends Row>(sql: string, params?: readonly SqlValue[]) {
    assertOpen();
    const connection = await retry(() => openConnection(file, { isReader: true }), toSqliteError);
    streams.add(connection);
    try {
      connection.handle.exec("begin");
      let turnEndsAt = performance.now() + STREAM_TURN_MS;
      for (const row of connection.iterate<T>(sql, params)) {
        yield row;
        if (performance.now() < turnEndsAt) continue;
        await nextTurn();
        turnEndsAt = performance.now() + STREAM_TURN_MS;
        assertOpen();
      }
    } catch (error) {
      assertOpen();
      throw toReadError(error);
    } finally {
      streams.delete(connection);
      if (connection.handle.isOpen) connection.handle.close();
    }
  }

  return {
    dialect: "sqlite",
    ...createLoneQuery(reader, queue.transaction),
    transaction: queue.transaction,
    stream,
    backupTo: async (target) => {
      assertOpen();
      await backUpFile(file, target);
    },
    integrityCheck: async () => {
      assertOpen();
      return retry(() => checkFile(file), toSqliteError);
    },
    close: async () => {
      const isFirst = !isClosed;
      isClosed = true;
      await queue.close();
      if (isFirst) closeConnections();
    },
  };
}

/** A new file can give freed pages back to the disk bit by bit; later that can no longer be chosen. */
function prepareFile({ all }: SqliteConnection): void {
  const [{ page_count: pages } = { page_count: 0 }] = all<{ page_count: number }>(
    "pragma page_count",
  );
  if (pages === 0) all("pragma auto_vacuum = incremental");
  all("pragma journal_mode = wal");
}

function createWriter(
  connection: SqliteConnection,
  retry: <T>(run: () => T, toError: (error: unknown) => unknown) => Promise<T>,
): Writer {
  const { handle } = connection;
  const run = async <T>(statement: () => T): Promise<T> => {
    // A statement must never run on its own because SQLite has ended the transaction around it.
    if (!handle.isTransaction) throw new StorageUnavailableError("a transaction was lost");
    try {
      return statement();
    } catch (error) {
      throw toSqliteError(error);
    }
  };
  return {
    begin: () => retry(() => handle.exec("begin immediate"), toSqliteError),
    query: (sql, params) => run(() => connection.all(sql, params)),
    queryRows: (sql, rows, params) => run(() => connection.allForRows(sql, rows, params)),
    script: (sql) => run(() => handle.exec(sql)),
    command: (sql) => run(() => handle.exec(sql)),
    commit: () => run(() => handle.exec("commit")),
    rollback: async () => {
      if (handle.isTransaction) handle.exec("rollback");
    },
    isOpen: () => handle.isTransaction,
  };
}

function inOneView<T>({ handle }: SqliteConnection, read: () => T): T {
  handle.exec("begin");
  try {
    return read();
  } finally {
    handle.exec("rollback");
  }
}

/** Another process may hold a lock for a moment; the event loop goes on meanwhile. */
async function retryWhileBusy<T>(
  run: () => T,
  timeoutMs: number,
  toError: (error: unknown) => unknown,
): Promise<T> {
  const givesUpAt = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || performance.now() > givesUpAt) throw toError(error);
    }
    await wait(Math.random() * Math.min(1 + attempt, 10));
  }
}

/** The store holds secrets' hashes and a person's data: nobody else on the machine may read it. */
async function createPrivateFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await (await open(file, "a", 0o600)).close();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new StorageUnavailableError(`its file cannot be opened (${code})`);
  }
}
