import type { CommandGroup } from "../command.ts";
import { conformanceCommands } from "./conformance/index.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand } from "./init.ts";
import { releaseCommands } from "./release/index.ts";
import { serveCommand } from "./serve.ts";
import { syncCommands } from "./sync/index.ts";

export const rootCommand: CommandGroup = {
  summary: "The backend a local-first app grows on",
  commands: {
    demo: demoCommand,
    init: initCommand,
    serve: serveCommand,
    doctor: doctorCommand,
    release: releaseCommands,
    sync: syncCommands,
    conformance: conformanceCommands,
  },
};
