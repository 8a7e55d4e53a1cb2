/**
 * One process at a time changes a catalogue. The lock is SQLite's: the operating system releases it
 * when a process ends, however it ends, so no stale lock is ever left behind.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { LOCK_FILE } from "../../rules/release/catalog-files.ts";

export interface CatalogLock {
  release(): void;
}

export interface LockPatience {
  readonly waitMs: number;
  /** Called once when another process holds the lock. */
  onWait?(): void;
}

const RETRY_MS = 25;
/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** Null when another process kept it for the whole time. */
export async function lockCatalog(
  folder: string,
  patience: LockPatience,
): Promise<CatalogLock | null> {
  const database = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  const giveUpAt = performance.now() + patience.waitMs;
  let waited = false;
  try {
    for (;;) {
      if (tryLock(database)) return { release: () => database.close() };
      if (performance.now() >= giveUpAt) break;
      if (!waited) patience.onWait?.();
      waited = true;
      // Uneven pauses, so that several waiting processes do not keep meeting.
      await setTimeout(RETRY_MS * (0.5 + Math.random()));
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return null;
}

function tryLock(database: DatabaseSync): boolean {
  try {
    // Nothing is ever stored, so there is nothing to roll back.
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
