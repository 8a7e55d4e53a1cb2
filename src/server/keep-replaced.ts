import { join } from "node:path";
import type { openDatabase } from "../database/open-database.ts";
import type { StoreOwner } from "./leased-store.ts";

export interface ReplacedStore {
  readonly owner: StoreOwner;
  readonly store: string;
  readonly dataDir: string;
}

/**
 * Keeps the contents that a restore is about to replace, and returns the path of the file: a dated
 * copy of a SQLite database, or a backup of a PostgreSQL database, which `writeBackup` writes.
 */
export async function keepReplaced(
  database: Awaited<ReturnType<typeof openDatabase>>,
  { owner, store, dataDir }: ReplacedStore,
  writeBackup: (path: string) => Promise<unknown>,
): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  if (database.dialect === "sqlite") {
    const path = `${store.slice("sqlite:".length)}.replaced-${stamp}`;
    await database.backupTo(path);
    return path;
  }
  const path = join(dataDir, `${owner}-replaced-${stamp}.backup`);
  await writeBackup(path);
  return path;
}
