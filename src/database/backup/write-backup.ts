/** Writes a backup of one snapshot of a store, and remembers the last one. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import type { Database } from "../database.ts";
import {
  describeTables,
  type BackupFormat,
  type BackupHeader,
  type BackupTrailer,
} from "./backup-format.ts";
import { replaceFile, writeLines } from "./place-file.ts";
import { streamRows } from "./table-rows.ts";

export interface BackupOrigin {
  readonly product: string;
  readonly now: number;
}

/**
 * `path` must not exist; the file is on the disk when this resolves, and not verified yet. `attached`
 * are the members of the service in the header.
 */
export async function writeBackup(
  database: Database,
  path: string,
  format: BackupFormat,
  origin: BackupOrigin,
  attached: Readonly<Record<string, unknown>>,
): Promise<void> {
  await writeLines(path, backupLines(database, format, origin, attached), createGzip());
}

async function* backupLines(
  database: Database,
  format: BackupFormat,
  { product, now }: BackupOrigin,
  attached: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const hashed = (line: string) => {
    hash.update(line, "utf8").update("\n");
    return line;
  };
  const header: BackupHeader = {
    format: format.name,
    version: format.version,
    createdAt: new Date(now).toISOString(),
    product,
    tables: describeTables(format),
    ...attached,
  };
  yield hashed(JSON.stringify(header));
  const counts: Record<string, number> = {};
  for (const { name } of format.tables) counts[name] = 0;
  const facts: Record<string, unknown> = {};
  for await (const row of streamRows(database, format.tables)) {
    counts[row.table.name] = (counts[row.table.name] ?? 0) + 1;
    Object.assign(facts, format.factsOf(row));
    yield hashed(JSON.stringify([row.table.name, ...row.values]));
  }
  const trailer: BackupTrailer = { ...facts, counts, sha256: hash.digest("hex") };
  yield JSON.stringify(trailer);
}

/** The last verified backup of a service, for its status and the doctor. */
export interface LastBackup {
  readonly createdAt: string;
  readonly file: string;
  readonly sha256: string;
}

export async function rememberLastBackup(
  dataDir: string,
  service: string,
  backup: LastBackup,
): Promise<void> {
  await replaceFile(lastBackupFile(dataDir, service), `${JSON.stringify(backup, null, 2)}\n`);
}

/** Null when there is none, or its file cannot be read. */
export async function readLastBackupOf<T extends LastBackup>(
  dataDir: string,
  service: string,
): Promise<T | null> {
  try {
    const text = await readFile(lastBackupFile(dataDir, service), "utf8");
    const value = JSON.parse(text) as Partial<T>;
    return typeof value.createdAt === "string" && typeof value.file === "string"
      ? (value as T)
      : null;
  } catch {
    return null;
  }
}

function lastBackupFile(dataDir: string, service: string): string {
  return join(dataDir, `${service}.last-backup.json`);
}
