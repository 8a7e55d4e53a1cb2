import type { CommandGroup } from "../command.ts";
import { demoCommand } from "./demo.ts";
import { releaseCommands } from "./release/index.ts";
import { serveCommand } from "./serve.ts";

export const rootCommand: CommandGroup = {
  summary: "the backend a local-first app grows on",
  commands: {
    demo: demoCommand,
    serve: serveCommand,
    release: releaseCommands,
  },
};
