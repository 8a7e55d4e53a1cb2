/** Lets one process at a time change a catalogue, by SQLite's lock: the system frees it however that ends. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { LOCK_FILE } from "../../rules/release/catalog-files.ts";

export interface CatalogLock {
  release(): void;
}

export interface LockOptions {
  readonly waitMs: number;
  /** Called once when another process has the lock. */
  readonly onWait?: (() => void) | undefined;
}

export class ForeignLockError extends Error {
  override readonly name = "ForeignLockError";
  constructor(path: string) {
    super(`"${path}" is not an empty file: delete it`);
  }
}

const RETRY_MS = 25;
/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Null when another process kept the lock for the whole time. */
export async function lockCatalog(
  folder: string,
  options: LockOptions,
): Promise<CatalogLock | null> {
  const path = join(folder, LOCK_FILE);
  if (!isUnusedOrEmpty(path)) throw new ForeignLockError(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  const giveUpAt = performance.now() + options.waitMs;
  let waited = false;
  try {
    for (;;) {
      if (tryLock(database)) return { release: () => database.close() };
      if (performance.now() >= giveUpAt) break;
      if (!waited) options.onWait?.();
      waited = true;
      // Random pauses, so that waiting processes do not stay in step.
      await setTimeout(RETRY_MS * (0.5 + Math.random()));
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return null;
}

/** Why a folder cannot be locked, and what to do. */
export function explainLockFailure(folder: string, error: unknown): string {
  if (error instanceof ForeignLockError) return error.message;
  const { errcode, message = String(error) } = error as { errcode?: number; message?: string };
  const reason =
    errcode === SQLITE_FULL
      ? "there is no space left: free some and run the command again"
      : `${message}: make the folder writable for this user`;
  return `Cannot lock "${folder}" for a change: ${reason}`;
}

/** SQLite would follow a link, and obey a database or rollback journal that a stranger wrote. */
function isUnusedOrEmpty(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.size === 0);
}

function tryLock(database: DatabaseSync): boolean {
  try {
    // The database stays empty, so it needs no rollback journal.
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
