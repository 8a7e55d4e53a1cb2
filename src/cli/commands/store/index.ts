/** The commands of all stores, and the entries of the command table that sync and events share. */
import type { CommandEntry, CommandGroup } from "../../command.ts";
import type { AccountService, RenameService } from "./account-service.ts";
import type { BackupService } from "./backup-service.ts";
import type { KeyService } from "./key-service.ts";

export const storeCommands: CommandGroup = {
  summary: "Move and upgrade stores",
  commands: {
    copy: {
      summary: "Copy a store to another database, with everything in it",
      load: async () => (await import("./copy.ts")).storeCopyCommand,
    },
    migrate: {
      summary: "Migrate the stores to this version after an upgrade",
      load: async () => (await import("./migrate.ts")).storeMigrateCommand,
    },
  },
};

export function accountEntries(
  loadServices: () => Promise<{
    readonly accounts: AccountService;
    readonly rename: RenameService;
  }>,
  summaries: { readonly create: string; readonly password: string },
): Readonly<Record<"create" | "password" | "rename", CommandEntry>> {
  return {
    create: {
      summary: summaries.create,
      load: async () =>
        (await import("./account-create.ts")).defineAccountCreate((await loadServices()).accounts),
    },
    password: {
      summary: summaries.password,
      load: async () =>
        (await import("./account-password.ts")).defineAccountPassword(
          (await loadServices()).accounts,
        ),
    },
    rename: {
      summary: "Give the account another name",
      load: async () =>
        (await import("./account-rename.ts")).defineAccountRename((await loadServices()).rename),
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

export function keyEntries(loadService: () => Promise<KeyService>): CommandGroup {
  return {
    summary: "Manage the instance key",
    commands: {
      list: {
        summary: "List the instance key and the retired ones, by their ids",
        load: async () => (await import("./key-list.ts")).defineKeyList(await loadService()),
      },
      rotate: {
        summary: "Replace the instance key; everybody stays signed in",
        load: async () => (await import("./key-rotate.ts")).defineKeyRotate(await loadService()),
      },
      drop: {
        summary: "Drop a retired key for good",
        load: async () => (await import("./key-drop.ts")).defineKeyDrop(await loadService()),
      },
    },
  };
}
