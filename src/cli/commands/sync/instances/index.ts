import type { CommandGroup } from "../../../command.ts";

export const instanceCommands: CommandGroup = {
  summary: "Manage the instances of a server with several",
  commands: {
    add: {
      summary: "Add an instance",
      load: async () => (await import("./add.ts")).addInstanceCommand,
    },
    list: {
      summary: "List the instances with their sizes and last backups",
      load: async () => (await import("./list.ts")).listInstancesCommand,
    },
    change: {
      summary: "Change the settings of an instance",
      load: async () => (await import("./change.ts")).changeInstanceCommand,
    },
    suspend: {
      summary: "Stop serving an instance for now",
      load: async () => (await import("./suspend.ts")).suspendInstanceCommand,
    },
    resume: {
      summary: "Serve a suspended instance again",
      load: async () => (await import("./suspend.ts")).resumeInstanceCommand,
    },
    move: {
      summary: "Rename an instance, or move it to another server's folder",
      load: async () => (await import("./move.ts")).moveInstanceCommand,
    },
    remove: {
      summary: "Delete an instance for good",
      load: async () => (await import("./remove.ts")).removeInstanceCommand,
    },
  },
};
