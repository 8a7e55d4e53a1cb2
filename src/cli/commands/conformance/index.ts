/** `trellis conformance …`: proof that a server is compatible. */
import type { CommandGroup } from "../../command.ts";
import { eventsCommand } from "./events.ts";
import { releaseCommand } from "./release.ts";
import { syncCommand } from "./sync.ts";

export const conformanceCommands: CommandGroup = {
  summary: "Prove that a server is compatible",
  commands: { release: releaseCommand, sync: syncCommand, events: eventsCommand },
};
