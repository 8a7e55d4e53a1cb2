/**
 * A store that is older than this version: every command refuses it, and a SQLite file is copied before it is
 * migrated. A PostgreSQL database has backups of its own.
 */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Database } from "./database.ts";
import { listPending, readMaker } from "./migrate.ts";
import type { OpenDatabase } from "./open-database.ts";
import { placeFile } from "./place-file.ts";
import { openSqlite } from "./sqlite.ts";
import { sqlitePath } from "./sqlite-path.ts";
import type { StoreTables } from "./store-kind.ts";

/** A store needs migrations that this process must not apply. Nothing was changed. */
export class UpgradeNeededError extends Error {
  override readonly name = "UpgradeNeededError";
  readonly reason: string;

  constructor(reason: string, advice: string) {
    super(`${reason}: ${advice}`);
    this.reason = reason;
  }
}

/** What the operator does with an older store. */
export const UPGRADE_ADVICE: Readonly<Record<Database["dialect"], string>> = {
  sqlite:
    "stop the server, and start it with this version, which copies the store and migrates it; or run `trellis store migrate`",
  postgres:
    "stop all servers, back the database up, for example with pg_dump, then run `trellis store migrate`",
};

/** Fails when the store is older than this version, or newer. Changes nothing. */
export async function expectCurrent(
  { name, schema }: Pick<StoreTables, "name" | "schema">,
  database: Database,
): Promise<void> {
  const pending = await listPending(database, schema);
  if (pending.length === 0) return;
  const count = pending.length === 1 ? "a migration" : `${pending.length} migrations`;
  throw new UpgradeNeededError(
    `The ${name} store is of ${await readMaker(database)} and needs ${count} of this version (${pending.join(", ")})`,
    UPGRADE_ADVICE[database.dialect],
  );
}

/** How many copies stay: enough to go back over two upgrades that went wrong. */
const KEPT_COPIES = 3;
const COPY_MARK = ".before-upgrade-";

/** Returns the path of the verified copy of a SQLite file; null for PostgreSQL. */
export async function copyBeforeUpgrade(
  store: string,
  database: OpenDatabase,
): Promise<string | null> {
  const path = sqlitePath(store);
  if (path === undefined || database.dialect !== "sqlite") return null;
  const copy = `${path}${COPY_MARK}${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  await placeFile(copy, async (draft) => {
    await database.backupTo(draft);
    await verifyCopy(draft);
  });
  await removeOldCopies(path);
  return copy;
}

async function verifyCopy(path: string): Promise<void> {
  const copy = await openSqlite(path);
  try {
    const [row] = await copy.query<{ integrity_check: string }>("PRAGMA integrity_check");
    if (row?.integrity_check === "ok") return;
    throw new Error("The copy of the store before its migration is damaged: check the disk");
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
