/**
 * What happens before a store that holds data is migrated: a SQLite file is copied, and a PostgreSQL
 * database, which has backups of its own, is migrated only when its operator says so.
 */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { listPending, type Scope } from "../database/migrate.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { placeFile } from "../database/backup/place-file.ts";
import { openSqlite, type SqliteDatabase } from "../database/sqlite.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { StoreDescription } from "./store-description.ts";

/** A PostgreSQL store needs migrations that its operator has not agreed to. Nothing was changed. */
export class UpgradeNeededError extends Error {
  constructor(service: string, pending: readonly string[]) {
    const count = pending.length === 1 ? "a migration" : `${pending.length} migrations`;
    super(
      `The ${service} store needs ${count} of this version (${pending.join(", ")}): stop all servers, back the database up, for example with pg_dump, then run \`trellis store migrate\``,
    );
    this.name = "UpgradeNeededError";
  }
}

export interface UpgradeOptions {
  /** Whether the operator says that the PostgreSQL database is backed up. */
  readonly isBackedUp?: boolean;
  /** Called with the path of the copy of a SQLite file. */
  readonly onCopy?: ((path: string) => void) | undefined;
}

/** How many copies stay: enough to go back over two upgrades that went wrong. */
const KEPT_COPIES = 3;

export async function prepareUpgrade(
  { name, schema }: Pick<StoreDescription, "name" | "schema">,
  store: string,
  database: OpenDatabase,
  { isBackedUp = false, onCopy }: UpgradeOptions = {},
): Promise<void> {
  const pending = await listPending(database, schema);
  if (pending.length === 0) return;
  const path = sqlitePath(store);
  if (path === undefined || database.dialect !== "sqlite") {
    if (!isBackedUp) throw new UpgradeNeededError(name, pending);
    return;
  }
  const copy = `${path}${COPY_MARK}${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  if (!(await copyFile(database, copy, schema))) return;
  onCopy?.(copy);
  await removeOldCopies(path);
}

const COPY_MARK = ".before-upgrade-";

/** False when another process has migrated the store meanwhile, so that there is nothing to copy. */
async function copyFile(
  database: SqliteDatabase,
  path: string,
  schema: readonly Scope[],
): Promise<boolean> {
  const isOld = await placeFile(path, async (draft) => {
    await database.backupTo(draft);
    return verifyCopy(draft, schema);
  });
  if (!isOld) await rm(path, { force: true });
  return isOld;
}

async function verifyCopy(path: string, schema: readonly Scope[]): Promise<boolean> {
  const copy = await openSqlite(path);
  try {
    const [row] = await copy.query<{ integrity_check: string }>("PRAGMA integrity_check");
    if (row?.integrity_check !== "ok") {
      throw new Error("The copy of the store before its migration is damaged: check the disk");
    }
    return (await listPending(copy, schema)).length > 0;
  } finally {
    await copy.close();
  }
}

async function removeOldCopies(path: string): Promise<void> {
  const start = `${basename(path)}${COPY_MARK}`;
  const copies = (await readdir(dirname(path)))
    .filter((name) => name.startsWith(start) && !name.endsWith(".partial"))
    .sort();
  for (const name of copies.slice(0, -KEPT_COPIES)) await rm(join(dirname(path), name));
}
