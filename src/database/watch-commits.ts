/** Noticing what other connections and processes commit. */
import type { CommitWatch } from "./database.ts";

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
