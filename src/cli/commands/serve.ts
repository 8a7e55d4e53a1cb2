import cluster from "node:cluster";
import { createLineWriter } from "../../http/request-log.ts";
import { SERVICES, type Configuration, type ServiceName } from "../../server/configuration.ts";
import { startServices } from "../../server/start.ts";
import { onStopSignal } from "../../server/stop-signals.ts";
import { reportReady, startWorkers } from "../../server/workers.ts";
import { CommandError, defineCommand, UsageError } from "../command.ts";
import { explainStartFailure } from "../explain-start-failure.ts";

export const serveCommand = defineCommand({
  summary: "Run the services of the configuration",
  description:
    "Prints one JSON line per request and an event line when it is ready. SIGTERM and SIGINT stop it gracefully.",
  arguments: {
    services: {
      description: `Only these: ${SERVICES.join(", ")} (default: all that are configured)`,
      multiple: true,
    },
  },
  options: {
    workers: {
      type: "string",
      value: "N",
      description: "Run N processes that share the ports (default: 1)",
    },
  },
  examples: ["trellis serve", "trellis serve release --config /etc/trellis/config.json"],
  async run(context) {
    const workers = readWorkers(context.options.workers);
    const wanted = readServices(context.args.services);
    const configuration = await context.configuration();
    if (configuration.file === null && !hasOwnSettings(context.terminal.env)) {
      throw new CommandError(
        `Nothing to serve: there is no configuration at "${context.configPath}"; write one with \`trellis init\`, or name it with --config`,
      );
    }
    const names = chooseServices(configuration, wanted);
    const log = createLineWriter((text) => void context.terminal.stdout.write(text));
    const running =
      workers > 1 && cluster.isPrimary
        ? await startWorkers(workers).catch(explainStartFailure)
        : await startServices(configuration, names, log).catch(explainStartFailure);
    // Before anybody hears that it is ready, and may stop it.
    const stopped = onStopSignal(running.stop, { ignoreSecond: cluster.isWorker });
    if (cluster.isWorker) reportReady(running.addresses);
    else log.event("ready", running.addresses);
    await stopped;
    if (cluster.isPrimary) log.event("stopped");
    log.flush();
  },
});

function readServices(words: readonly string[]): ServiceName[] {
  return words.map((word) => {
    const name = SERVICES.find((known) => known === word);
    if (name !== undefined) return name;
    throw new UsageError(`Unknown service "${word}": known are ${SERVICES.join(", ")}`);
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
      `The configuration has no "${missing}" section: add one, even an empty one`,
    );
  }
  if (configured.length === 0) {
    throw new CommandError(
      `Nothing to serve: the configuration has none of the sections ${SERVICES.join(", ")}`,
    );
  }
  return wanted.length === 0 ? configured : configured.filter((name) => wanted.includes(name));
}

function readWorkers(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError(`--workers must be 1 to 99, not "${text}"`);
  return Number(text);
}

function hasOwnSettings(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith("TRELLIS_"));
}
