/** The instances of the configured server, as the commands that manage them see them. */
import { ConfigurationError } from "../../../../configuration/configuration-error.ts";
import type {
  InstancesByName,
  SyncConfiguration,
} from "../../../../configuration/configuration-schema.ts";
import { changeRegistry } from "../../../../configuration/instance-registry.ts";
import { loadInstances, type LoadedInstances } from "../../../../configuration/load-instances.ts";
import { expectKeyOfHost } from "../../../../identity/key-of-host.ts";
import { CommandError, type CommandContext } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { readSection } from "../../../read-section.ts";

export interface InstancesContext {
  readonly sync: SyncConfiguration;
  readonly dataDir: string;
  /** The instances; null when the server has one instance without a name. */
  readonly loaded: LoadedInstances | null;
}

export async function readInstances(
  context: Pick<CommandContext, "configuration">,
): Promise<InstancesContext> {
  const { configuration, section } = await readSection(context, "sync");
  const loaded = await loadInstances(section, configuration);
  return { sync: section, dataDir: configuration.dataDir, loaded };
}

/** The instances, for a command that changes the registry; those of a configuration are changed there. */
export async function expectRegistry(
  context: Pick<CommandContext, "configuration">,
): Promise<InstancesContext> {
  const instances = await readInstances(context);
  await explainStoreErrors(() => expectKeyOfHost(instances.sync));
  if (instances.loaded?.source !== "configuration") return instances;
  throw new CommandError(
    "The instances of this server are listed in `sync.instances` of its configuration: change them there, and restart it",
  );
}

export function expectInstance(instances: InstancesByName, name: string) {
  const found = Object.hasOwn(instances, name) ? instances[name] : undefined;
  if (found !== undefined) return found;
  throw new CommandError(
    `There is no instance "${name}": \`trellis sync instance list\` shows those that exist`,
  );
}

/** Runs what checks changed settings, whose error is that of the command and not of the file. */
export async function explainSettings<T>(consequence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(`${consequence}: ${error.errors.join("; ")}`);
  }
}

/** Changes the settings of one instance; undefined removes it. */
export function changeInstance(
  { dataDir, sync }: InstancesContext,
  name: string,
  change: (settings: InstancesByName[string]) => InstancesByName[string] | undefined,
): Promise<InstancesByName> {
  return changeRegistry(dataDir, sync, (instances) => {
    const changed = change(expectInstance(instances, name));
    const { [name]: _former, ...rest } = instances;
    return changed === undefined ? rest : { ...instances, [name]: changed };
  });
}
