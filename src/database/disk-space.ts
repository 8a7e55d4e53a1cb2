import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "./database.ts";

/** A step is about a megabyte, so that writers can run in between. */
const PAGES_PER_STEP = 256;

/**
 * Returns unused pages of a SQLite file to the disk, and how many bytes that was. Small transactions
 * are safe beside a server, while VACUUM would need space for a second file and block all writers.
 * PostgreSQL does it by itself.
 */
export async function freePages(database: Database): Promise<number> {
  if (database.dialect !== "sqlite") return 0;
  const before = await readPages(database);
  let { free } = before;
  while (free > 0) {
    await database.transaction((tx) => tx.query(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`));
    const left = (await readPages(database)).free;
    // A file without incremental vacuum cannot shrink; SQLite reuses its pages.
    if (left >= free) break;
    free = left;
  }
  const after = await readPages(database);
  return Math.max(0, before.total - after.total) * before.pageBytes;
}

const CHECKPOINT_ATTEMPTS = 10;
const CHECKPOINT_DELAY_MS = 100;

/**
 * Returns unused pages to the disk and empties SQLite's write-ahead log, which has what was deleted as it was
 * before. A snapshot that is being read keeps the log: then the next checkpoints do it, and the close of the
 * store. PostgreSQL removes deleted rows by itself: autovacuum.
 */
export async function eraseFreePages(database: Database): Promise<void> {
  if (database.dialect !== "sqlite") return;
  await freePages(database);
  for (let attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt++) {
    const [row] = await database.query<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
    if (row?.busy === 0) return;
    await wait(CHECKPOINT_DELAY_MS);
  }
}

async function readPages(
  database: Database,
): Promise<{ free: number; total: number; pageBytes: number }> {
  const [row] = await database.query<{ free: number; total: number; page_bytes: number }>(
    `SELECT f.freelist_count AS free, c.page_count AS total, s.page_size AS page_bytes
     FROM pragma_freelist_count() AS f, pragma_page_count() AS c, pragma_page_size() AS s`,
  );
  if (row === undefined) throw new Error("SQLite did not report its pages");
  return { free: row.free, total: row.total, pageBytes: row.page_bytes };
}

/** The size of the whole database, including the tables of other services. */
export async function readDatabaseBytes(database: Database): Promise<number> {
  if (database.dialect === "sqlite") {
    const { total, pageBytes } = await readPages(database);
    return total * pageBytes;
  }
  return readBytes(database, "SELECT pg_database_size(current_database()) AS bytes");
}

/** The used pages of a SQLite file. */
export async function readUsedBytes(database: Database): Promise<number> {
  const { total, free, pageBytes } = await readPages(database);
  return (total - free) * pageBytes;
}

/** The size of some tables of a PostgreSQL database, with their indexes. */
export function readTableBytes(database: Database, names: readonly string[]): Promise<number> {
  return readBytes(
    database,
    `SELECT CAST(coalesce(sum(pg_total_relation_size(to_regclass(n))), 0) AS BIGINT) AS bytes
     FROM unnest(CAST(string_to_array($1, ' ') AS TEXT[])) AS n`,
    [names.join(" ")],
  );
}

async function readBytes(
  database: Database,
  sql: string,
  params: readonly string[] = [],
): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(sql, params);
  return row?.bytes ?? 0;
}

export type ReadFreeBytes = (folder: string) => Promise<number>;

export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
