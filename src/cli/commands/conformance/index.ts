import { entry, type CommandGroup } from "../../command.ts";

export const conformanceCommands: CommandGroup = {
  summary: "Test whether a server or a client is compatible",
  commands: {
    release: entry(
      "Test a server, or a client, against the release contract",
      () => import("./release.ts"),
    ),
    sync: entry("Test a server, or a client, against the sync contract", () => import("./sync.ts")),
    events: entry(
      "Test a server, or a client, against the events contract",
      () => import("./events.ts"),
    ),
  },
};
