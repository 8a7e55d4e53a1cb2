import type { CommandGroup } from "../../command.ts";

export const conformanceCommands: CommandGroup = {
  summary: "Test whether a server is compatible",
  commands: {
    release: {
      summary: "Test a server against the release contract",
      load: async () => (await import("./release.ts")).releaseCommand,
    },
    sync: {
      summary: "Test a server against the sync contract",
      load: async () => (await import("./sync.ts")).syncCommand,
    },
    events: {
      summary: "Test a server against the events contract",
      load: async () => (await import("./events.ts")).eventsCommand,
    },
  },
};
