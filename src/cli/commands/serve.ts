import cluster from "node:cluster";
import { resolve } from "node:path";
import { createLineWriter, type LineWriter } from "../../http/request-log.ts";
import { createLogOutput } from "../../server/log-output.ts";
import { enableOperator, SERVICES, type ServiceName } from "../../configuration/configuration.ts";
import { type Configuration } from "../../configuration/configuration-schema.ts";
import { readBuild } from "../../database/product-build.ts";
import { PRODUCT_VERSION } from "../../database/product-version.ts";
import { describeSecurityEvent } from "../../operate/security-events.ts";
import { upgradeAtStart } from "../../operate/upgrade-at-start.ts";
import { startServices } from "../../server/start.ts";
import { runUntilSignal } from "../../server/stop-signals.ts";
import { openTracing, warnMissingSdk } from "../../operate/tracing/open-tracing.ts";
import { withAtomicWrites } from "../../server/atomic-writes.ts";
import {
  onWorkerDeath,
  reportReady,
  startWorkers,
  type WorkerListener,
} from "../../server/workers.ts";
import { CommandError, defineCommand, flag, option, UsageError } from "../command.ts";
import { explainStartError } from "../explain-start-error.ts";

const PORT_HINT = describeListenKey("port");

export const command = defineCommand({
  description:
    "Prints one JSON line per request, and one when it is ready. SIGTERM, SIGINT and SIGHUP (the terminal is closed) stop it gracefully; a second signal stops it at once. Each service listens at `listen` of its section of the configuration.",
  arguments: {
    services: {
      description: `${SERVICES.join(", ")} (default: all that are configured)`,
      multiple: true,
    },
  },
  options: {
    workers: option("N", "Run N processes that share the ports (default: 1)"),
    operator: flag(
      "Also respond to GET /readyz and GET /metrics at `operator.listen` (default: 127.0.0.1:4890)",
    ),
  },
  optionHints: { port: PORT_HINT, p: PORT_HINT, host: describeListenKey("host") },
  examples: ["trellis serve", "trellis serve release --config /etc/trellis/config.json"],
  async run(context) {
    const workers = parseWorkers(context.options.workers);
    const wanted = parseServices(context.args.services);
    const loaded = await context.configuration();
    const configuration = context.options.operator ? enableOperator(loaded) : loaded;
    if (configuration.file === null && !hasServiceVariables(context.terminal.env)) {
      throw new CommandError(
        `Nothing to serve: there is no configuration at "${resolve(context.configPath)}"; change to the folder that has one, name it with --config, or write one with \`trellis init\``,
      );
    }
    const names = chooseServices(configuration, wanted);
    context.terminal.useOutputAsLog?.();
    const { stdout } = context.terminal;
    const output = createLogOutput(cluster.isWorker ? withAtomicWrites(stdout) : stdout);
    const log = createLineWriter(output.write);
    const { env } = context.terminal;
    if (cluster.isPrimary) await warnMissingSdk(env, log);
    const start = async (signal: AbortSignal) => {
      if (cluster.isPrimary) await upgradeAtStart(configuration, names, log);
      if (workers > 1 && cluster.isPrimary) {
        return startWorkers(workers, createWorkerListener(log), signal);
      }
      const tracing = await openTracing(env, log);
      const server = await startServices(configuration, names, log, signal, { tracing });
      // The log of the primary has the event; a count that fails changes nothing else.
      if (cluster.isWorker) onWorkerDeath(() => void server.countWorkerDeath().catch(() => {}));
      return server;
    };
    await runUntilSignal(
      (signal) => start(signal).catch((error: unknown) => explainStartError(error, configuration)),
      ({ addresses, stores }) => {
        if (cluster.isWorker) reportReady({ addresses, stores });
        else
          log.event("ready", {
            version: PRODUCT_VERSION,
            build: readBuild(),
            ...addresses,
            stores,
          });
      },
      { ignoreSecond: cluster.isWorker },
    );
    if (cluster.isPrimary) log.event("stopped");
    log.flush();
    await output.finish();
  },
});

/** No single option could say where each of the services listens. */
function describeListenKey(name: "port" | "host"): string {
  const places = SERVICES.map(
    (service) => `${service}.listen.${name} (${`TRELLIS_${service}_LISTEN_${name}`.toUpperCase()})`,
  );
  return `the configuration, or a variable, sets the ${name} of each service: ${places.join(", ")}`;
}

function createWorkerListener(log: LineWriter): WorkerListener {
  return {
    onDeath(exit) {
      const [event, fields, level] = describeSecurityEvent("serve", {
        kind: "worker-death",
        network: null,
      });
      log.event(event, { ...fields, ...exit }, level);
    },
    onReplaced: (replacement) => log.event("worker_replaced", { service: "serve", ...replacement }),
  };
}

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

/** The data folder alone, which the container image sets, configures no service. */
function hasServiceVariables(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => /^TRELLIS_(?!DATA_DIR$)/.test(name));
}
