/** Remembers the last good backup, for whoever asks how old it is. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../database/backup/place-file.ts";

export interface LastBackup {
  readonly createdAt: string;
  readonly file: string;
  readonly generation: string;
  readonly headOffset: number;
  readonly sha256: string;
}

const FILE = "sync.last-backup.json";

export async function rememberBackup(dataDir: string, backup: LastBackup): Promise<void> {
  await replaceFile(join(dataDir, FILE), `${JSON.stringify(backup, null, 2)}\n`);
}

/** Null when there was none, or nothing readable is known of it. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    const value = JSON.parse(await readFile(join(dataDir, FILE), "utf8")) as Partial<LastBackup>;
    return typeof value.createdAt === "string" && typeof value.file === "string"
      ? (value as LastBackup)
      : null;
  } catch {
    return null;
  }
}
