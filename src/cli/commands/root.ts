import type { CommandGroup } from "../command.ts";

export const rootCommand: CommandGroup = {
  summary: "The backend a local-first app grows on",
  commands: {
    demo: async () => (await import("./demo.ts")).demoCommand,
    init: async () => (await import("./init.ts")).initCommand,
    serve: async () => (await import("./serve.ts")).serveCommand,
    doctor: async () => (await import("./doctor.ts")).doctorCommand,
    release: async () => (await import("./release/index.ts")).releaseCommands,
    sync: async () => (await import("./sync/index.ts")).syncCommands,
    events: async () => (await import("./events/index.ts")).eventsCommands,
    conformance: async () => (await import("./conformance/index.ts")).conformanceCommands,
  },
};
