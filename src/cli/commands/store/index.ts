/** The commands of all stores, and the entries of the command table that sync and events share. */
import { entry, type CommandEntry, type CommandGroup } from "../../command.ts";
import type { AccountService } from "./account-service.ts";
import type { ManagedService } from "./managed-service.ts";

export const storeCommands: CommandGroup = {
  summary: "Move and upgrade stores",
  commands: {
    copy: entry(
      "Copy a store to another database, with everything in it",
      () => import("./copy.ts"),
    ),
    migrate: entry(
      "Migrate the stores to this version after an upgrade",
      () => import("./migrate.ts"),
    ),
  },
};

export function accountEntries(
  loadService: () => Promise<AccountService>,
  summaries: { readonly create: string; readonly password: string },
): Readonly<
  Record<"create" | "password" | "rename" | "reset-link" | "links" | "revoke-link", CommandEntry>
> {
  const commands = () => import("./account-commands.ts");
  const links = () => import("./account-links.ts");
  return {
    create: {
      summary: summaries.create,
      load: async () => (await commands()).defineAccountCreate(await loadService()),
    },
    password: {
      summary: summaries.password,
      load: async () => (await commands()).defineAccountPassword(await loadService()),
    },
    rename: {
      summary: "Rename the account",
      load: async () => (await commands()).defineAccountRename(await loadService()),
    },
    "reset-link": {
      summary: "Create a link to reset a forgotten password",
      load: async () => (await links()).defineResetLink(await loadService()),
    },
    links: {
      summary: "List the invitations and reset links that are still valid",
      load: async () => (await links()).defineLinks(await loadService()),
    },
    "revoke-link": {
      summary: "Revoke an invitation or a reset link",
      load: async () => (await links()).defineRevokeLink(await loadService()),
    },
  };
}

export function backupEntries(
  loadService: () => Promise<ManagedService>,
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

export function keyEntries(loadService: () => Promise<ManagedService>): CommandGroup {
  return {
    summary: "Manage the instance key",
    commands: {
      list: {
        summary: "List the instance key and the retired ones, by their ids",
        load: async () => (await import("./keys.ts")).defineKeyList(await loadService()),
      },
      rotate: {
        summary: "Replace the instance key; everyone stays signed in",
        load: async () => (await import("./keys.ts")).defineKeyRotate(await loadService()),
      },
      drop: {
        summary: "Drop a retired key for good",
        load: async () => (await import("./keys.ts")).defineKeyDrop(await loadService()),
      },
    },
  };
}
