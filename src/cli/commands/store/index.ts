/** The entries of the command table that sync and events share. */
import type { CommandEntry } from "../../command.ts";
import type { AccountService } from "./account-service.ts";
import type { BackupService } from "./backup-service.ts";

export function accountEntries(
  loadService: () => Promise<AccountService>,
  summaries: { readonly create: string; readonly password: string },
): Readonly<Record<"create" | "password", CommandEntry>> {
  return {
    create: {
      summary: summaries.create,
      load: async () =>
        (await import("./account-create.ts")).defineAccountCreate(await loadService()),
    },
    password: {
      summary: summaries.password,
      load: async () =>
        (await import("./account-password.ts")).defineAccountPassword(await loadService()),
    },
  };
}

export function backupEntries(
  loadService: () => Promise<BackupService>,
): Readonly<Record<"backup" | "verify" | "restore", CommandEntry>> {
  return {
    backup: {
      summary: "Back up the store to a file, also while a server runs",
      load: async () => (await import("./backup.ts")).defineBackup(await loadService()),
    },
    verify: {
      summary: "Verify a backup file",
      load: async () => (await import("./verify.ts")).defineVerify(await loadService()),
    },
    restore: {
      summary: "Restore a backup",
      load: async () => (await import("./restore.ts")).defineRestore(await loadService()),
    },
  };
}
