import { entry, type CommandEntry, type CommandGroup } from "../../command.ts";
import { isGroup } from "../../parse-command-line.ts";
import { accountEntries, backupEntries, keyEntries } from "../store/index.ts";

const loadDevices = () => import("./devices.ts");
const loadChange = () => import("./instances/change.ts");
const loadHostKey = () => import("./host-key.ts");
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
    suspend: entry("Stop serving an instance temporarily", loadChange, "suspendInstanceCommand"),
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
        "Let a new device sign in while attackers guess passwords",
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
    "host-key": {
      summary: "Manage the key under which a PostgreSQL host seals those of its instances",
      commands: {
        create: entry("Make the host's key", loadHostKey, "createHostKeyCommand"),
        rotate: entry("Add a new host's key to the file", loadHostKey, "rotateHostKeyCommand"),
        apply: entry("Seal all keys with the new host's key", loadHostKey, "applyHostKeyCommand"),
      },
    },
  },
};

/** The commands take `--instance NAME`. */
function forEachInstance(commands: CommandGroup["commands"]): CommandGroup["commands"] {
  return Object.fromEntries(
    Object.entries(commands).map(([name, target]) => [name, addOption(target)]),
  );
}

function addOption(target: CommandEntry | CommandGroup): CommandEntry | CommandGroup {
  if (isGroup(target)) return { ...target, commands: forEachInstance(target.commands) };
  return {
    ...target,
    // Not imported above: every command of the program would load the databases.
    load: async () => (await import("./select-instance.ts")).selectFirst(await target.load()),
  };
}
