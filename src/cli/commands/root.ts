import { entry, type CommandGroup } from "../command.ts";
import { conformanceCommands } from "./conformance/index.ts";
import { eventsCommands } from "./events/index.ts";
import { releaseCommands } from "./release/index.ts";
import { storeCommands } from "./store/index.ts";
import { syncCommands } from "./sync/index.ts";

/** The command table. It imports no command: each is loaded when it is called. */
export const rootCommand: CommandGroup = {
  summary: "The backend a local-first app grows on",
  commands: {
    demo: entry("Run all services on this machine with sample data", () => import("./demo.ts")),
    dev: entry("Run a sync server for an app that you develop", () => import("./dev.ts")),
    create: entry("Create an app that syncs, ready to run", () => import("./create.ts")),
    init: entry(
      "Set up one or more services: configuration, catalogue and signing keys",
      () => import("./init.ts"),
    ),
    serve: entry("Run the configured services", () => import("./serve.ts")),
    ready: entry("Check whether the running server is ready", () => import("./ready.ts")),
    doctor: entry(
      "Check everything that Trellis depends on, and suggest fixes",
      () => import("./doctor.ts"),
    ),
    release: releaseCommands,
    sync: syncCommands,
    events: eventsCommands,
    store: storeCommands,
    conformance: conformanceCommands,
    completion: entry(
      "Print a script that completes commands in your shell",
      () => import("./completion.ts"),
    ),
    help: entry("Show the help of a command", () => import("./help.ts")),
  },
};
