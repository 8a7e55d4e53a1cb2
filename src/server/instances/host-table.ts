/** Which instance a request is for: the one whose public address has the host of the request. */
import type { InstancesByName } from "../configuration-schema.ts";

export interface HostTable {
  /** The name of the instance; undefined when no instance is at this host. */
  find(host: string | null): string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

export function createHostTable(instances: InstancesByName): HostTable {
  const namesByHost = new Map<string, string>();
  for (const [name, { baseUrl }] of Object.entries(instances)) {
    const { host, hostname, protocol } = new URL(baseUrl);
    namesByHost.set(host, name);
    // A client may write the port that its scheme means anyway.
    if (host === hostname) namesByHost.set(`${host}:${DEFAULT_PORTS[protocol]}`, name);
  }
  return { find: (host) => (host === null ? undefined : namesByHost.get(host.toLowerCase())) };
}
