/** Remembers the last good backup of a service, for whoever asks how old it is. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "./place-file.ts";

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
  await replaceFile(fileOf(dataDir, service), `${JSON.stringify(backup, null, 2)}\n`);
}

/** Null when there was none, or nothing readable is known of it. */
export async function readLastBackupOf<T extends LastBackup>(
  dataDir: string,
  service: string,
): Promise<T | null> {
  try {
    const value = JSON.parse(await readFile(fileOf(dataDir, service), "utf8")) as Partial<T>;
    return typeof value.createdAt === "string" && typeof value.file === "string"
      ? (value as T)
      : null;
  } catch {
    return null;
  }
}

function fileOf(dataDir: string, service: string): string {
  return join(dataDir, `${service}.last-backup.json`);
}
