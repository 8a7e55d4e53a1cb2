import { entry, type CommandGroup } from "../../../command.ts";

export const instanceCommands: CommandGroup = {
  summary: "Manage the instances of a server with several",
  commands: {
    add: entry("Add an instance", () => import("./add.ts")),
    list: entry("List the instances with their sizes and last backups", () => import("./list.ts")),
    change: entry("Change the settings of an instance", () => import("./change.ts")),
    suspend: {
      summary: "Stop serving an instance for now",
      load: async () => (await import("./suspend.ts")).suspendInstanceCommand,
    },
    resume: {
      summary: "Serve a suspended instance again",
      load: async () => (await import("./suspend.ts")).resumeInstanceCommand,
    },
    move: entry(
      "Rename an instance, or move it to another server's folder",
      () => import("./move.ts"),
    ),
    remove: entry("Delete an instance for good", () => import("./remove.ts")),
  },
};
