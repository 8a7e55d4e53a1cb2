import type { CommandGroup } from "../../command.ts";
import { accountEntries, backupEntries, keyEntries } from "../store/index.ts";
import { instanceCommands } from "./instances/index.ts";
import { forEachInstance } from "./select-instance.ts";

const loadManaged = async () => (await import("./managed-sync.ts")).managedSync;

export const syncCommands: CommandGroup = {
  summary: "Manage a personal sync service",
  commands: {
    ...forEachInstance({
      account: {
        summary: "Manage the account",
        commands: accountEntries(async () => (await import("./accounts.ts")).syncAccounts, {
          create: "Create the account of this instance",
          password: "Set a new password and sign out every device",
        }),
      },
      devices: {
        summary: "Manage signed-in devices",
        commands: {
          list: {
            summary: "List the signed-in devices",
            load: async () => (await import("./devices-list.ts")).devicesListCommand,
          },
          revoke: {
            summary: "Sign out one device or all devices",
            load: async () => (await import("./devices-revoke.ts")).devicesRevokeCommand,
          },
        },
      },
      key: keyEntries(loadManaged),
      status: {
        summary: "Show store status",
        load: async () => (await import("./status.ts")).syncStatusCommand,
      },
      compact: {
        summary: "Remove superseded operations from the log",
        load: async () => (await import("./compact.ts")).compactCommand,
      },
      ...backupEntries(loadManaged),
      export: {
        summary: "Export all live entities as readable JSON",
        load: async () => (await import("./export.ts")).syncExportCommand,
      },
    }),
    instance: instanceCommands,
  },
};
