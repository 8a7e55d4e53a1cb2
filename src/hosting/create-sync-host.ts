/** Many personal instances for a program that adds and removes them itself. */
import { resolve } from "node:path";
import type { RequestLog } from "../http/request-log.ts";
import { checkConfiguration, resolveBackup } from "../configuration/configuration.ts";
import type {
  BackupConfiguration,
  InstanceSettings,
  InstancesByName,
  SyncConfiguration,
} from "../configuration/configuration-schema.ts";
import { toHostConfiguration } from "../configuration/instance.ts";
import type { HostNotice } from "./host-notice.ts";
import { startSyncHost, type RunningHost } from "./sync-host.ts";

/** Settings that all instances share, as in the `sync` section of a configuration. */
type SharedSettings = Partial<
  Pick<
    SyncConfiguration,
    | "displayName"
    | "redirectUris"
    | "allowedSchemes"
    | "corsOrigins"
    | "headerPrefix"
    | "profile"
    | "ownerPage"
    | "quota"
    | "maxOpen"
  >
> & {
  readonly limits?: Partial<SyncConfiguration["limits"]>;
  /** Backups that the host makes while it runs, one folder or prefix for each instance; absent: none. */
  readonly backup?: Partial<BackupConfiguration>;
  /** A `postgres://` address, where each instance has a schema; absent: a SQLite file for each. */
  readonly store?: string;
};

/** The settings of a host: where it stores its instances, and the settings that they share. */
export interface SyncHostOptions extends SharedSettings {
  /** Keys, high-water marks and SQLite files are in `instances/<name>/` of this folder. */
  readonly dataDir: string;
  /** The first instances, by name. */
  readonly instances?: InstancesByName;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** How long an instance stays open without a request. */
  readonly idleSeconds?: number;
  /** A log that gets exactly the fields of the contract, and the name of the instance that responded. */
  readonly log?: (entry: Parameters<RequestLog>[0], instance: string | null) => void;
  /** Receives what an operator should know, with the name of the instance. */
  readonly onNotice?: (notice: HostNotice, instance: string) => void;
}

/**
 * A running host of many instances: call `fetch` with each request, and add or remove instances while it
 * runs.
 */
export interface SyncHost extends Pick<
  RunningHost,
  | "http"
  | "fetch"
  | "listInstances"
  | "administer"
  | "backUpDue"
  | "counts"
  | "endStreams"
  | "close"
> {
  /**
   * Adds an instance, or changes its settings from its next request on. Throws when the settings are
   * invalid or another instance has their host; then nothing changes.
   */
  setInstance(name: string, settings: InstanceSettings): Promise<void>;
  /** Stops serving an instance, and resolves when its store is closed. Its files stay. */
  removeInstance(name: string): Promise<void>;
}

const STREAM_IDLE_TIMEOUT_MS = 30_000;

/**
 * Makes a host of many personal instances, of which the host of a request chooses one. Use it when a program
 * of yours adds and removes people itself.
 * @returns the host, which opens an instance with its first request and closes it when it is idle
 * @example
 * ```ts
 * import { createSyncHost } from "trellis/hosting";
 *
 * const host = createSyncHost({
 *   dataDir: "./data",
 *   redirectUris: ["https://app.example.com/callback"],
 *   onNotice: ({ kind }, instance) => console.error(instance, kind),
 * });
 * await host.setInstance("anna", { baseUrl: "https://anna.sync.example.com" });
 * const response = await host.fetch(new Request("https://anna.sync.example.com/v1/health"));
 * await host.close();
 * ```
 */
export function createSyncHost(options: SyncHostOptions): SyncHost {
  const {
    dataDir: folder,
    instances: first = {},
    trustedProxies = [],
    idleSeconds,
    log,
    onNotice = () => {},
    ...shared
  } = options;
  const dataDir = resolve(folder);
  const check = (instances: InstancesByName) =>
    checkShared({ dataDir, trustedProxies, sync: { ...shared, instances } });
  const host = startSyncHost({
    ...toHostConfiguration(check(first), dataDir),
    instances: first,
    createsFolders: true,
    trustedProxies,
    streamIdleTimeoutMs: STREAM_IDLE_TIMEOUT_MS,
    ...(idleSeconds !== undefined && { idleMs: idleSeconds * 1000 }),
    log: (instance) => (log === undefined ? undefined : (entry) => log(entry, instance)),
    onNotice,
  });
  const current = () =>
    Object.fromEntries(host.listInstances().map(({ name, settings }) => [name, settings]));
  return {
    ...host,
    async setInstance(name, settings) {
      const present = current();
      check({ ...rivalsOf(name, settings, present), [name]: settings });
      await host.replaceInstances({ ...present, [name]: settings });
    },
    async removeInstance(name) {
      const { [name]: _removed, ...rest } = current();
      await host.replaceInstances(rest);
    },
  };
}

/** The instances at the same host. All others were checked; checking thousands again would stop requests. */
function rivalsOf(name: string, { baseUrl }: InstanceSettings, present: InstancesByName) {
  const host = URL.parse(baseUrl)?.host;
  return Object.fromEntries(
    Object.entries(present).filter(
      ([other, own]) => other !== name && new URL(own.baseUrl).host === host,
    ),
  );
}

/** Fills in the defaults; throws an error that names every wrong setting. */
function checkShared(settings: object): SyncConfiguration {
  const { sync } = checkConfiguration(JSON.parse(JSON.stringify(settings)), "of the host");
  if (sync === undefined) throw new Error("The host has no settings");
  return sync.backup === undefined ? sync : { ...sync, backup: resolveBackup(sync.backup, ".") };
}
