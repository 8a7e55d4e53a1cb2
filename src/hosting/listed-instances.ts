/** The instances of a host, by their names and by the hosts of their public addresses. */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import type { InstanceSettings, InstancesByName } from "../configuration/configuration-schema.ts";
import type { Instance, ResolveInstance } from "../configuration/instance.ts";

/** An instance of a host, with the settings that it runs with. */
export interface InstanceState {
  /** The name in addresses, commands and the log. */
  readonly name: string;
  /** Its address, apps and limits. */
  readonly settings: InstanceSettings;
}

export interface ListedInstances {
  list(): InstanceState[];
  /** The instance: the same object until a change, while it is asked for. */
  find(name: string): Instance | null;
  isSuspended(name: string): boolean;
  /** The name of the instance that a request to this host is for. */
  nameAt(host: string | null): string | undefined;
  /** Whether the public address of one of the instances is https. */
  hasHttps(): boolean;
  /** Replaces the instances, and returns the names of those that are gone or changed. */
  replace(instances: InstancesByName): string[];
}

const MAX_RESOLVED = 1000;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

export function createListedInstances(
  first: InstancesByName,
  resolve: ResolveInstance,
): ListedInstances {
  let instances: InstancesByName = {};
  let resolved = createBoundedCache<string, Instance>(MAX_RESOLVED);
  let namesByHost = new Map<string, string>();
  let hasHttps = false;

  function replace(next: InstancesByName): string[] {
    const stale = Object.keys(instances).filter(
      (name) => JSON.stringify(next[name]) !== JSON.stringify(instances[name]),
    );
    instances = next;
    resolved = createBoundedCache(MAX_RESOLVED);
    namesByHost = new Map();
    hasHttps = false;
    for (const [name, { baseUrl }] of Object.entries(next)) {
      const { host, hostname, protocol } = new URL(baseUrl);
      hasHttps ||= protocol === "https:";
      namesByHost.set(host, name);
      // A client may write the port that its scheme means anyway.
      if (host === hostname) namesByHost.set(`${host}:${DEFAULT_PORTS[protocol]}`, name);
    }
    return stale;
  }

  replace(first);
  return {
    list: () => Object.entries(instances).map(([name, settings]) => ({ name, settings })),
    find(name) {
      const given = Object.hasOwn(instances, name) ? instances[name] : undefined;
      if (given === undefined) return null;
      return resolved.getOrCreate(name, () => resolve(name, given));
    },
    isSuspended: (name) => instances[name]?.suspended === true,
    nameAt: (host) => (host === null ? undefined : namesByHost.get(host.toLowerCase())),
    hasHttps: () => hasHttps,
    replace,
  };
}
