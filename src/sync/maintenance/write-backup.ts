/** Writes a backup of a store at one moment, while others write to it. */
import { createHash } from "node:crypto";
import { createGzip } from "node:zlib";
import type { Database } from "../../database/database.ts";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupTrailer,
} from "./backup-format.ts";
import { BACKUP_TABLES, streamBackupRows } from "./backup-tables.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { writeLines } from "../../database/backup/write-lines.ts";

export interface BackupOptions {
  readonly product: string;
  readonly now: number;
  readonly instanceKey: SealedKey | null;
}

/** `path` must not exist; the file is on the disk when this settles, and still to be verified. */
export async function writeBackup(
  database: Database,
  path: string,
  options: BackupOptions,
): Promise<void> {
  await writeLines(path, backupLines(database, options), createGzip());
}

async function* backupLines(
  database: Database,
  { product, now, instanceKey }: BackupOptions,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const signed = (line: string) => {
    hash.update(line, "utf8").update("\n");
    return line;
  };
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    createdAt: new Date(now).toISOString(),
    product,
    tables: Object.fromEntries(
      BACKUP_TABLES.map(({ name, columns }) => [name, Object.keys(columns)]),
    ),
    instanceKey,
  };
  yield signed(JSON.stringify(header));
  const counts = Object.fromEntries(BACKUP_TABLES.map(({ name }) => [name, 0])) as Record<
    keyof BackupTrailer["counts"],
    number
  >;
  let head = { generation: "", headOffset: 0 };
  for await (const { table, values } of streamBackupRows(database)) {
    counts[table.name]++;
    if (table.name === "sync_log") {
      head = { generation: String(values[1]), headOffset: Number(values[2]) };
    }
    yield signed(JSON.stringify([table.name, ...values]));
  }
  const trailer: BackupTrailer = { ...head, counts, sha256: hash.digest("hex") };
  yield JSON.stringify(trailer);
}
