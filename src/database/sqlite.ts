/** The embedded store: one file, one writer with group commit, and readers beside it. */
import { open, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { backup } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { createPrivateFolder } from "./create-private-folder.ts";
import { StorageUnavailableError, type Database, type Statement } from "./database.ts";
import type { DatabaseObserver } from "./database-observer.ts";
import { ONLY_INSTANCE, writeInstance } from "./instance-parameter.ts";
import { openConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { isBusy, toReadError, toSqliteError } from "./sqlite-errors.ts";
import { createSqliteStream } from "./sqlite-stream.ts";
import { syncFile, syncFolder } from "./sync-path.ts";
import { createWatches, watchVersion } from "./watch-commits.ts";
import { STREAM_IDLE_TIMEOUT_MS } from "./watch-consumer.ts";
import { createWriteQueue, type Writer } from "./write-queue.ts";

export interface SqliteDatabase extends Database {
  readonly dialect: "sqlite";
  /** Copies the store to a new file while others write; the copy is on the disk when this resolves. */
  backupTo(path: string): Promise<void>;
}

export interface SqliteOptions {
  /** How long a transaction waits for the lock of another process. */
  readonly busyTimeoutMs?: number;
  /** How long a transaction may be idle. */
  readonly idleTimeoutMs?: number;
  readonly streamIdleTimeoutMs?: number;
  readonly observer?: DatabaseObserver;
  /** Whether the caches of the connections are small. */
  readonly isSmall?: boolean;
}

/** A step is so small that the process responds between two steps of a backup. */
const BACKUP_PAGES_PER_STEP = 512;

type Retry = <T>(run: () => T, toError?: (error: unknown) => unknown) => Promise<T>;

/** Refuses a store in memory: its connections would not share it. */
export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
): Promise<SqliteDatabase> {
  if (path === "" || path === ":memory:") {
    throw new Error("A SQLite store needs the path of a file: it keeps what is written");
  }
  const { busyTimeoutMs = 10_000, idleTimeoutMs = 10_000, isSmall = false } = options;
  const { streamIdleTimeoutMs = STREAM_IDLE_TIMEOUT_MS } = options;
  const file = resolve(path);
  await createPrivateFile(file);
  const watches = createWatches();
  let isClosed = false;

  const retry: Retry = (run, toError = toSqliteError) =>
    retryWhileBusy(run, busyTimeoutMs, toError);

  const connections = createConnections(file, retry);

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailableError("it is closed");
  }

  let writing: SqliteConnection;
  let reading: SqliteConnection;
  try {
    writing = await connections.open({ isReader: false, isSmall });
    await retry(() => prepareFile(writing));
    reading = await connections.open({ isReader: true, isSmall });
  } catch (error) {
    connections.closeAll();
    throw error;
  }
  const queue = createWriteQueue(
    createWriter(writing, retry),
    idleTimeoutMs,
    options.observer?.commit,
  );

  return {
    dialect: "sqlite",
    instance: ONLY_INSTANCE,
    query: async (sql, params) => {
      assertOpen();
      return retry(() => reading.all(sql, params), toReadError);
    },
    queryRows: async (sql, rows, params) => {
      assertOpen();
      return retry(
        () => inSnapshot(reading, () => reading.allForRows(sql, rows, params)),
        toReadError,
      );
    },
    transaction: queue.transaction,
    stream: createSqliteStream({
      // A stream reads each page once, and many of them may wait for slow clients.
      open: () => connections.open({ isReader: true, isSmall: true }),
      close: connections.close,
      assertOpen,
      idleTimeoutMs: streamIdleTimeoutMs,
    }),
    // Every commit is seen, whether it notified or not.
    watch: (_channel, onCommit) =>
      watches.add(watchVersion(() => readDataVersion(reading), onCommit)),
    // A file that is put back is found when it is opened.
    onServerChange() {},
    backupTo: async (target) => {
      assertOpen();
      await copyFile(file, target);
    },
    close: async () => {
      isClosed = true;
      await Promise.all([queue.close(), watches.closeAll()]);
      connections.closeAll();
    },
  };
}

function createConnections(file: string, retry: Retry) {
  const connections = new Set<SqliteConnection>();
  function close(connection: SqliteConnection): void {
    connections.delete(connection);
    if (connection.handle.isOpen) connection.handle.close();
  }
  return {
    async open(options: Parameters<typeof openConnection>[1]): Promise<SqliteConnection> {
      const connection = await retry(() => openConnection(file, options));
      connections.add(connection);
      return connection;
    },
    close,
    closeAll: () => connections.forEach(close),
  };
}

/** Returns another number after a commit of another connection, in this process or another one. */
function readDataVersion({ all }: SqliteConnection): number {
  return all<{ data_version: number }>("pragma data_version")[0]?.data_version ?? 0;
}

/** Only a new file can be made to return freed pages to the disk step by step. */
function prepareFile({ all }: SqliteConnection): void {
  const [{ page_count: pages } = { page_count: 0 }] = all<{ page_count: number }>(
    "pragma page_count",
  );
  if (pages === 0) all("pragma auto_vacuum = incremental");
  all("pragma journal_mode = wal");
}

function createWriter(connection: SqliteConnection, retry: Retry): Writer {
  const { handle } = connection;
  const run = async <T>(statement: () => T): Promise<T> => {
    // SQLite may have ended the transaction; a statement must not run outside of it.
    if (!handle.isTransaction) throw new StorageUnavailableError("a transaction was lost");
    try {
      return statement();
    } catch (error) {
      throw toSqliteError(error);
    }
  };
  const writeAll = (statements: readonly Statement[]) =>
    run(() => {
      for (const { sql, rows, params } of statements) {
        if (rows === undefined) connection.all(sql, params);
        else connection.allForRows(sql, rows, params);
      }
    });
  let synchronous = "full";
  return {
    // SQLite keeps every plan.
    begin: async ({ mayBeLost }) => {
      const wanted = mayBeLost ? "normal" : "full";
      if (wanted !== synchronous) handle.exec(`pragma synchronous = ${wanted}`);
      synchronous = wanted;
      await retry(() => handle.exec("begin immediate"));
    },
    query: (sql, params) => run(() => connection.all(sql, params)),
    queryRows: (sql, rows, params) => run(() => connection.allForRows(sql, rows, params)),
    writeAll,
    script: (sql) => run(() => handle.exec(writeInstance(sql, ONLY_INSTANCE))),
    command: (sql) => run(() => handle.exec(sql)),
    commit: async (statements) => {
      await writeAll(statements);
      await run(() => handle.exec("commit"));
    },
    rollback: async () => {
      if (handle.isTransaction) handle.exec("rollback");
    },
    isOpen: () => handle.isTransaction,
  };
}

function inSnapshot<T>({ handle }: SqliteConnection, read: () => T): T {
  handle.exec("begin");
  try {
    return read();
  } finally {
    // SQLite ends a transaction itself when the disk fails.
    if (handle.isTransaction) handle.exec("rollback");
  }
}

async function retryWhileBusy<T>(
  run: () => T,
  timeoutMs: number,
  toError: (error: unknown) => unknown,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw toError(error);
    }
    await wait(Math.random() * Math.min(1 + attempt, 10));
  }
}

/** The store has personal data and hashes of secrets: other users of the machine must not read it. */
async function createPrivateFile(file: string): Promise<void> {
  createPrivateFolder(dirname(file));
  try {
    await (await open(file, "a", 0o600)).close();
  } catch (error) {
    throw new StorageUnavailableError(`its file cannot be opened (${systemCode(error)})`);
  }
}

/** `target` must not exist, so that a backup that fails never replaces a good one. */
async function copyFile(source: string, target: string): Promise<void> {
  try {
    await (await open(target, "wx", 0o600)).close();
  } catch (error) {
    const code = systemCode(error);
    if (code === "EEXIST") {
      throw new Error("The file of the backup exists already: name a new one", { cause: error });
    }
    throw new StorageUnavailableError(`the backup cannot be created (${code})`);
  }
  try {
    const { handle } = openConnection(source, { isReader: true });
    try {
      // The copy reads from this snapshot; without it every write would start the copy again.
      handle.exec("begin");
      handle.prepare("select count(*) from sqlite_schema").get();
      await backup(handle, target, { rate: BACKUP_PAGES_PER_STEP });
    } finally {
      handle.close();
    }
    await syncFile(target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(target, { force: true });
    throw toSqliteError(error);
  }
}

function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
