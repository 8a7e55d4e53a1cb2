/** Writes a backup of one snapshot of a store. */
import { createHash } from "node:crypto";
import { createGzip } from "node:zlib";
import type { Database } from "../../database/database.ts";
import { createAgeEncryption, type AgeEncryption } from "./age-files.ts";
import { authenticationOf, createBackupMac } from "./authenticate-backup.ts";
import {
  describeTables,
  type BackupFormat,
  type BackupHeader,
  type BackupKey,
  type BackupTrailer,
} from "./backup-format.ts";
import { verifyBackup, type BackupExaminer } from "./open-backup.ts";
import { placeFile, writeLines } from "../../database/place-file.ts";
import { streamRows } from "./table-rows.ts";

export interface BackupOptions extends Pick<BackupHeader, "product" | "instanceKey"> {
  /** Authenticates the backup. Null when the instance has no key yet, or has lost it. */
  readonly key: BackupKey | null;
  readonly now: number;
}

export interface BackupEncryption {
  /** Public keys of age. */
  readonly recipients: readonly string[];
  /** A private folder for the scratch store, which is not encrypted: not where the backup goes. */
  readonly scratchFolder: string;
}

/**
 * Makes a backup beside a running server. The file gets its name, which must be free, once verified: it is
 * read back from the disk, also when it is encrypted. `encryption` is null for a file that is not.
 */
export function createBackup<Manifest>(
  database: Database,
  path: string,
  examiner: BackupExaminer<string, Manifest>,
  options: BackupOptions,
  encryption: BackupEncryption | null = null,
): Promise<Manifest> {
  return placeFile(path, async (draft) => {
    const age = encryption === null ? null : await createAgeEncryption(encryption.recipients);
    await writeBackup(database, draft, examiner.format, options, age);
    return verifyBackup(draft, examiner, async () => options.key, {
      ...(encryption !== null && { scratchFolder: encryption.scratchFolder }),
      identities: age === null ? [] : [age.fileIdentity],
    });
  });
}

/** `path` must not exist; the file is on the disk when this resolves, and not verified yet. */
export async function writeBackup(
  database: Database,
  path: string,
  format: BackupFormat,
  options: BackupOptions,
  age: AgeEncryption | null = null,
): Promise<void> {
  const lines = backupLines(database, format, options);
  await writeLines(path, lines, createGzip(), ...(age === null ? [] : [age.encrypt]));
}

async function* backupLines(
  database: Database,
  format: BackupFormat,
  { product, now, instanceKey, key }: BackupOptions,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const mac = key === null ? null : createBackupMac(key);
  const hashed = (line: string) => {
    hash.update(line, "utf8").update("\n");
    mac?.update(line);
    return line;
  };
  const header: BackupHeader = {
    format: format.name,
    version: format.version,
    createdAt: new Date(now).toISOString(),
    product,
    tables: describeTables(format),
    instanceKey,
    authentication: authenticationOf(key),
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
  const trailer: BackupTrailer = { ...facts, counts, sha256: hash.copy().digest("hex") };
  yield hashed(JSON.stringify(trailer));
  if (mac !== null) yield mac.finish();
}
