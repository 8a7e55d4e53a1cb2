import { entry, type CommandGroup } from "../../command.ts";
import { accountEntries, backupEntries, keyEntries } from "../store/index.ts";
import { forEachInstance } from "./select-instance.ts";

const loadDevices = () => import("./devices.ts");
const loadChange = () => import("./instances/change.ts");
const loadManaged = async () => (await import("./managed-sync.ts")).managedSync;

const instanceCommands: CommandGroup = {
  summary: "Manage the instances of a server with several",
  commands: {
    add: entry("Add an instance", () => import("./instances/add.ts")),
    list: entry(
      "List the instances with their sizes and last backups",
      () => import("./instances/list.ts"),
    ),
    change: entry("Change the settings of an instance", loadChange, "changeInstanceCommand"),
    suspend: entry("Stop serving an instance for now", loadChange, "suspendInstanceCommand"),
    resume: entry("Serve a suspended instance again", loadChange, "resumeInstanceCommand"),
    move: entry(
      "Rename an instance, or move it to another server's folder",
      () => import("./instances/move.ts"),
    ),
    remove: entry("Delete an instance for good", loadChange, "removeInstanceCommand"),
  },
};

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
        () => import("./accounts.ts"),
        "signInLinkCommand",
      ),
      devices: {
        summary: "Manage signed-in devices",
        commands: {
          list: entry("List the signed-in devices", loadDevices, "listDevicesCommand"),
          revoke: entry("Sign out one device or all devices", loadDevices, "revokeDevicesCommand"),
        },
      },
      key: keyEntries(loadManaged),
      status: entry("Show store status", () => import("./status.ts")),
      compact: entry("Remove superseded operations from the log", () => import("./compact.ts")),
      ...backupEntries(loadManaged),
      export: entry("Export all live entities as readable JSON", () => import("./export.ts")),
    }),
    open: entry(
      "Open an export or a backup of sealed data with the recovery key",
      () => import("./open/open.ts"),
    ),
    instance: instanceCommands,
  },
};
