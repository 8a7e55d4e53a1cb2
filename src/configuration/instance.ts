/** A personal instance of a server with many: its settings, its folder and its store. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inInstance } from "../database/named-instance.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type {
  BackupConfiguration,
  InstanceSettings,
  SyncConfiguration,
  SyncServiceSettings,
} from "./configuration-schema.ts";
import { parseS3Address } from "../backup/storage/s3-settings.ts";

export interface Instance {
  readonly name: string;
  /** The data folder of the instance alone: key, high-water mark and, on SQLite, the store. */
  readonly dataDir: string;
  readonly sync: SyncServiceSettings;
}

/** What a server with many instances needs of its configuration, besides the list of them. */
export interface HostConfiguration extends Pick<SyncConfiguration, "store" | "maxOpen"> {
  readonly dataDir: string;
  readonly hasBackups: boolean;
  /** For the responses to requests that reach no instance. */
  readonly unknownHost: Pick<
    SyncConfiguration,
    "baseUrl" | "displayName" | "corsOrigins" | "headerPrefix" | "ownerPage"
  >;
  readonly resolve: ResolveInstance;
}

/** Fills in the settings of an instance: those that it does not set are the settings of `sync`. */
export type ResolveInstance = (name: string, settings: InstanceSettings) => Instance;

export const INSTANCES_FOLDER = "instances";

export function toHostConfiguration(sync: SyncConfiguration, dataDir: string): HostConfiguration {
  const { baseUrl, displayName, corsOrigins, headerPrefix, ownerPage } = sync;
  return {
    dataDir,
    store: sync.store,
    maxOpen: sync.maxOpen,
    hasBackups: sync.backup !== undefined,
    unknownHost: { baseUrl, displayName, corsOrigins, headerPrefix, ownerPage },
    resolve: (name, settings) => resolveInstance(name, settings, sync, dataDir),
  };
}

export function resolveInstance(
  name: string,
  { suspended: _suspended, limits, quota, ...own }: InstanceSettings,
  { instances: _instances, listen: _listen, maxOpen: _maxOpen, backup, ...sync }: SyncConfiguration,
  dataDir: string,
): Instance {
  const folder = instanceFolder(dataDir, name);
  return {
    name,
    dataDir: folder,
    sync: {
      ...sync,
      ...own,
      limits: { ...sync.limits, ...limits },
      quota: { ...sync.quota, ...quota },
      store: instanceStore(sync.store, folder, name),
      instanceKeyFile: join(folder, "instance.key"),
      ...(backup !== undefined && { backup: instanceBackup(backup, name) }),
    },
  };
}

/** Each instance has a place of its own, so that one can be handed over or deleted alone. */
function instanceBackup(backup: BackupConfiguration, name: string): BackupConfiguration {
  const { to } = backup;
  const isFolder = parseS3Address(to) === null;
  return { ...backup, to: isFolder ? join(to, name) : `${to.replace(/(?<!\/)\/+$/, "")}/${name}` };
}

export function instanceFolder(dataDir: string, name: string): string {
  return join(dataDir, INSTANCES_FOLDER, name);
}

function instanceStore(store: string, folder: string, name: string): string {
  if (sqlitePath(store) !== undefined) return `sqlite:${join(folder, "sync.db")}`;
  return inInstance(store, name);
}

/**
 * Whether the store is to be made by the first use. A store that had a key and is gone is lost or
 * removed, and an empty store in its place would look to devices like theirs.
 */
export function isNewInstance({ dataDir, sync }: Instance, createsFolder: boolean): boolean {
  return (createsFolder || existsSync(dataDir)) && !existsSync(sync.instanceKeyFile);
}
