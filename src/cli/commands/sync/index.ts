import { entry, type CommandGroup } from "../../command.ts";
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
      "sign-in-link": entry(
        "Make a one-time link for a new device while strangers guess",
        () => import("./sign-in-link.ts"),
      ),
      devices: {
        summary: "Manage signed-in devices",
        commands: {
          list: entry("List the signed-in devices", () => import("./devices-list.ts")),
          revoke: entry("Sign out one device or all devices", () => import("./devices-revoke.ts")),
        },
      },
      key: keyEntries(loadManaged),
      status: entry("Show store status", () => import("./status.ts")),
      compact: entry("Remove superseded operations from the log", () => import("./compact.ts")),
      ...backupEntries(loadManaged),
      export: entry("Export all live entities as readable JSON", () => import("./export.ts")),
    }),
    instance: instanceCommands,
  },
};
