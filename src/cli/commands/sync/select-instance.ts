/** `--instance NAME`, which every sync command takes on a server with several instances. */
import type {
  Configuration,
  SyncConfiguration,
} from "../../../configuration/configuration-schema.ts";
import { resolveInstance, type Instance } from "../../../configuration/instance.ts";
import { listUsed, prepareInstance } from "../../../hosting/instance-rows.ts";
import { loadInstances } from "../../../configuration/load-instances.ts";
import { nameInstance } from "../../../configuration/name-instance.ts";
import {
  CommandError,
  option,
  type Command,
  type CommandContext,
  type ConfiguredInstance,
} from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { expectInstance } from "./instances/registry.ts";

export const INSTANCE_OPTION = {
  instance: option("NAME", "The instance, on a server with several"),
} as const;

/** The command sees the configuration of the chosen instance, as if the server had no other. */
export function selectFirst(command: Command): Command {
  return {
    ...command,
    options: { ...command.options, ...INSTANCE_OPTION },
    run: async (context) => {
      const name = (context.options as { readonly instance?: string }).instance;
      if (name === undefined && command.runOnAll !== undefined) {
        const all = await listConfigured(await context.configuration());
        if (all !== null) return command.runOnAll(context, all);
      }
      const configuration = async () => selectInstance(await context.configuration(), name);
      const selected = { ...context, configuration };
      return name === undefined ? command.run(selected) : runNamed(command, selected, name);
    },
  };
}

/** What the command says to do next is to be done with the same instance. */
async function runNamed(command: Command, context: CommandContext, name: string): Promise<void> {
  try {
    await command.run({
      ...context,
      print: (...lines) => context.print(...lines.map((line) => line && nameInstance(line, name))),
      warn: (...lines) => context.warn(...lines.map((line) => nameInstance(line, name))),
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const lines = error.lines.map((line) => nameInstance(line, name));
    throw new CommandError(lines, error.details);
  }
}

/** The instances that have a store; null when the server has one instance without a name. */
async function listConfigured(configuration: Configuration): Promise<ConfiguredInstance[] | null> {
  const { sync, dataDir } = configuration;
  const loaded = sync === undefined ? null : await loadInstances(sync, configuration);
  if (sync === undefined || loaded === null) return null;
  const instances = Object.entries(loaded.instances).map(([name, settings]) =>
    resolveInstance(name, settings, sync, dataDir),
  );
  return (await explainStoreErrors(() => listUsed(instances, sync.store))).map((instance) => ({
    name: instance.name,
    configuration: configureInstance(configuration, sync, instance),
  }));
}

/** The configuration as if the server had this instance alone. */
export async function selectInstance(
  configuration: Configuration,
  name: string | undefined,
): Promise<Configuration> {
  const { sync, dataDir } = configuration;
  if (sync === undefined) return configuration;
  const loaded = await loadInstances(sync, configuration);
  if (loaded === null && name === undefined) return configuration;
  if (loaded === null) {
    throw new CommandError(
      "This server has no named instances: omit --instance, or add one with `trellis sync instance add`",
    );
  }
  if (name === undefined) {
    throw new CommandError(
      "This server has several instances: choose one with --instance NAME; `trellis sync instance list` shows them",
    );
  }
  const given = expectInstance(loaded.instances, name);
  const instance = resolveInstance(name, given, sync, dataDir);
  if (loaded.source === "configuration") {
    await explainStoreErrors(() => prepareInstance(instance, sync.store));
  }
  return configureInstance(configuration, sync, instance);
}

/** The configuration as if the server had this instance alone, whose schema is prepared. */
export function configureInstance(
  configuration: Configuration,
  { listen, maxOpen }: SyncConfiguration,
  { dataDir, sync }: Instance,
): Configuration {
  return { ...configuration, dataDir, sync: { ...sync, listen, maxOpen } };
}
