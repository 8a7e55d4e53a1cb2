/** Writes a backup of a store at one moment, while others write to it. */
import { createHash } from "node:crypto";
import { createGzip } from "node:zlib";
import type { Database } from "../database.ts";
import {
  describeTables,
  type BackupFormat,
  type BackupHeader,
  type BackupTrailer,
} from "./backup-format.ts";
import { streamRows } from "./stream-rows.ts";
import { writeLines } from "./write-lines.ts";

export interface BackupOrigin {
  readonly product: string;
  readonly now: number;
}

/**
 * `path` must not exist; the file is on the disk when this settles, and still to be verified.
 * `attached` goes into the first line.
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
  const signed = (line: string) => {
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
  yield signed(JSON.stringify(header));
  const counts: Record<string, number> = {};
  for (const { name } of format.tables) counts[name] = 0;
  const facts: Record<string, unknown> = {};
  for await (const row of streamRows(database, format.tables)) {
    counts[row.table.name] = (counts[row.table.name] ?? 0) + 1;
    Object.assign(facts, format.factsOf(row));
    yield signed(JSON.stringify([row.table.name, ...row.values]));
  }
  const trailer: BackupTrailer = { ...facts, counts, sha256: hash.digest("hex") };
  yield JSON.stringify(trailer);
}
