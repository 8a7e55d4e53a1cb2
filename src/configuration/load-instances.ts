/** The instances of a server: those of the configuration or those of the registry, never both. */
import { ConfigurationError } from "./configuration-error.ts";
import type { Configuration, InstanceRules, InstancesByName } from "./configuration-schema.ts";
import { readRegistry, registryPath } from "./instance-registry.ts";

export interface LoadedInstances {
  readonly source: "configuration" | "registry";
  readonly instances: InstancesByName;
}

/** The instances; null for a server with one instance, which has no name. */
export async function loadInstances(
  sync: InstanceRules & { readonly instances?: InstancesByName },
  { dataDir, file }: Pick<Configuration, "dataDir" | "file">,
): Promise<LoadedInstances | null> {
  const registered = await readRegistry(dataDir, sync);
  if (sync.instances === undefined) {
    return registered === null ? null : { source: "registry", instances: registered };
  }
  if (registered !== null) {
    throw new ConfigurationError(file === null ? "from the environment" : `"${file}"`, [
      `sync.instances lists instances, and so does "${registryPath(dataDir)}": keep one of the two lists`,
    ]);
  }
  return { source: "configuration", instances: sync.instances };
}
