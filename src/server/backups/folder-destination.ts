import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackupDestination, StoredBackup } from "./backup-destination.ts";
import { isBackupDraft, parseBackupName } from "./backup-name.ts";

export async function createFolderDestination(folder: string): Promise<BackupDestination> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (name: string) => join(folder, name);
  return {
    workFolder: folder,
    addressOf: pathOf,
    async list(prefix) {
      const found: StoredBackup[] = [];
      for (const name of await readdir(folder)) {
        const createdAt = parseBackupName(prefix, name);
        if (createdAt === null) continue;
        found.push({ name, createdAt, bytes: (await stat(pathOf(name))).size });
      }
      return found;
    },
    store: (name, create) => create(pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
    async removeDrafts(prefix) {
      const names = await readdir(folder);
      for (const name of names.filter((name) => isBackupDraft(prefix, name))) {
        await rm(pathOf(name), { recursive: true, force: true });
      }
    },
  };
}
