import cluster from "node:cluster";
import { createLineWriter } from "../../http/request-log.ts";
import { SERVICES, type ServiceName } from "../../server/configuration.ts";
import { type Configuration } from "../../server/configuration-schema.ts";
import { startServices } from "../../server/start.ts";
import { runUntilSignal } from "../../server/stop-signals.ts";
import { reportReady, startWorkers } from "../../server/workers.ts";
import { CommandError, defineCommand, option, UsageError } from "../command.ts";
import { explainStartError } from "../explain-start-error.ts";

export const serveCommand = defineCommand({
  description:
    "Prints one JSON line per request, and one when it is ready. SIGTERM and SIGINT stop it gracefully; a second signal stops it at once.",
  arguments: {
    services: {
      description: `${SERVICES.join(", ")} (default: all that are configured)`,
      multiple: true,
    },
  },
  options: {
    workers: option("N", "Run N processes that share the ports (default: 1)"),
  },
  examples: ["trellis serve", "trellis serve release --config /etc/trellis/config.json"],
  async run(context) {
    const workers = parseWorkers(context.options.workers);
    const wanted = parseServices(context.args.services);
    const configuration = await context.configuration();
    if (configuration.file === null && !hasTrellisVariables(context.terminal.env)) {
      throw new CommandError(
        `Nothing to serve: there is no configuration at "${context.configPath}"; write one with \`trellis init\`, or name one with --config`,
      );
    }
    const names = chooseServices(configuration, wanted);
    const log = createLineWriter((text) => void context.terminal.stdout.write(text));
    await runUntilSignal(
      (signal) =>
        (workers > 1 && cluster.isPrimary
          ? startWorkers(workers, signal)
          : startServices(configuration, names, log, signal)
        ).catch(explainStartError),
      ({ addresses }) => {
        if (cluster.isWorker) reportReady(addresses);
        else log.event("ready", addresses);
      },
      { ignoreSecond: cluster.isWorker },
    );
    if (cluster.isPrimary) log.event("stopped");
    log.flush();
  },
});

function parseServices(words: readonly string[]): ServiceName[] {
  return words.map((word) => {
    const name = SERVICES.find((known) => known === word);
    if (name !== undefined) return name;
    throw new UsageError(`Unknown service "${word}": the services are ${SERVICES.join(", ")}`);
  });
}

function chooseServices(
  configuration: Configuration,
  wanted: readonly ServiceName[],
): readonly ServiceName[] {
  const configured = SERVICES.filter((name) => configuration[name] !== undefined);
  const missing = wanted.find((name) => !configured.includes(name));
  if (missing !== undefined) {
    throw new CommandError(
      `The configuration has no "${missing}" section: add one, \`{}\` is enough`,
    );
  }
  if (configured.length === 0) {
    throw new CommandError(
      `Nothing to serve: the configuration has none of the sections ${SERVICES.join(", ")}`,
    );
  }
  return wanted.length === 0 ? configured : configured.filter((name) => wanted.includes(name));
}

function parseWorkers(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError(`--workers must be 1 to 99, not "${text}"`);
  return Number(text);
}

function hasTrellisVariables(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith("TRELLIS_"));
}
