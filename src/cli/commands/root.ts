import type { CommandGroup } from "../command.ts";
import { conformanceCommands } from "./conformance/index.ts";
import { eventsCommands } from "./events/index.ts";
import { releaseCommands } from "./release/index.ts";
import { syncCommands } from "./sync/index.ts";

/** The command table. It imports no command: each is loaded when it is called. */
export const rootCommand: CommandGroup = {
  summary: "The backend a local-first app grows on",
  commands: {
    demo: {
      summary: "Run all services on this machine with sample data",
      load: async () => (await import("./demo.ts")).demoCommand,
    },
    init: {
      summary: "Set up one or more services: configuration, catalogue and signing keys",
      load: async () => (await import("./init.ts")).initCommand,
    },
    serve: {
      summary: "Run the configured services",
      load: async () => (await import("./serve.ts")).serveCommand,
    },
    ready: {
      summary: "Ask the running server whether it can do its work",
      load: async () => (await import("./ready.ts")).readyCommand,
    },
    doctor: {
      summary: "Check everything that Trellis depends on, and suggest fixes",
      load: async () => (await import("./doctor.ts")).doctorCommand,
    },
    release: releaseCommands,
    sync: syncCommands,
    events: eventsCommands,
    conformance: conformanceCommands,
    completion: {
      summary: "Print a script that completes commands in your shell",
      load: async () => (await import("./completion.ts")).completionCommand,
    },
    help: {
      summary: "Show the help of a command",
      load: async () => (await import("./help.ts")).helpCommand,
    },
  },
};
