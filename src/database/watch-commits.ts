/** Noticing what other connections and processes commit. */
import { setTimeout as wait } from "node:timers/promises";
import type { CommitWatch } from "./database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** The watches of a database, which end with it. */
export interface Watches {
  add(watch: CommitWatch): CommitWatch;
  closeAll(): Promise<void>;
}

export function createWatches(): Watches {
  const open = new Set<CommitWatch>();
  return {
    add(watch) {
      const added: CommitWatch = {
        async close() {
          open.delete(added);
          await watch.close();
        },
      };
      open.add(added);
      return added;
    },
    closeAll: async () => void (await Promise.all([...open].map((watch) => watch.close()))),
  };
}

/** A commit is to be noticed within 250 ms; a poll costs some 10 µs. */
const POLL_MS = 100;

/** SQLite: `readVersion` returns another number after every commit of another connection. */
export function watchVersion(readVersion: () => number, onCommit: () => void): CommitWatch {
  let version = tryRead(readVersion, 0);
  const timer = setInterval(() => {
    const found = tryRead(readVersion, version);
    if (found === version) return;
    version = found;
    onCommit();
  }, POLL_MS).unref();
  return { close: async () => clearInterval(timer) };
}

/** A read that fails, because the file is locked for a moment, is made up for by the next. */
function tryRead(readVersion: () => number, otherwise: number): number {
  try {
    return readVersion();
  } catch {
    return otherwise;
  }
}

/** The time between two checks whether the connection was lost, and before a lost one is replaced. */
const HEAL_MS = 100;
/** A network that goes silent does not close its connections: a query finds out. */
const PING_TURNS = 50;

/**
 * PostgreSQL: `openListening` opens a connection that listens, and calls its argument for each
 * notification. Without a connection every turn counts as a commit, because one may have been missed.
 */
export function watchNotifications(
  openListening: (onNotify: () => void) => Promise<PostgresConnection>,
  onCommit: () => void,
): CommitWatch {
  const stop = new AbortController();
  const { signal } = stop;
  const pause = () => wait(HEAL_MS, undefined, { signal, ref: false });

  async function listen(): Promise<void> {
    const connection = await openListening(onCommit);
    try {
      signal.throwIfAborted();
      onCommit();
      for (let turn = 1; !connection.isLost(); turn++) {
        await pause();
        if (turn % PING_TURNS === 0) await connection.query("select 1");
      }
    } finally {
      await connection.close();
    }
  }

  async function listenUntilClosed(): Promise<void> {
    while (!signal.aborted) {
      // The next turn opens a new connection, whatever ended this one.
      await listen().catch(() => {});
      if (!signal.aborted) onCommit();
      await pause().catch(() => {});
    }
  }

  const ended = listenUntilClosed();
  return {
    async close() {
      stop.abort();
      await ended;
    },
  };
}
