import type { CommandGroup } from "../command.ts";
import { serveCommand } from "./serve.ts";

export const rootCommand: CommandGroup = {
  summary: "the backend a local-first app grows on",
  commands: {
    serve: serveCommand,
  },
};
