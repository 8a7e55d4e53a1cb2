/** Notices that a command has changed the registry of a running server. */
import { isDeepStrictEqual } from "node:util";
import type { InstanceRules, InstancesByName } from "../configuration/configuration-schema.ts";
import {
  isInDatabase,
  readRegistry,
  readRegistryVersion,
} from "../configuration/instance-registry.ts";
import { readRowsVersion } from "../configuration/registry-rows.ts";
import { openDatabase, type OpenDatabase } from "../database/open-database.ts";

export interface RegistryListener {
  /** Called after a change. It must not wait for requests: meanwhile no other change would be noticed. */
  onChange(instances: InstancesByName): void;
  /** The file cannot be used: what was read last stays in force. */
  onRefused(error: unknown): void;
}

/** The time between two looks is short, because a command that suspends an instance waits for it. */
const POLL_MS = 500;

/** `loaded` is what the file had at the start. Returns a function that ends the watch. */
export function watchRegistry(
  dataDir: string,
  rules: InstanceRules,
  loaded: InstancesByName,
  listener: RegistryListener,
): () => void {
  /** Undefined before the first look: a command may have changed the file since it was loaded. */
  let version: string | null | undefined;
  let isReading = false;

  const directory = isInDatabase(rules) ? openDirectoryOnce(rules.store) : null;
  const readVersion = async () =>
    directory === null ? readRegistryVersion(dataDir) : readRowsVersion(await directory.open());

  async function poll(): Promise<void> {
    // A database that is away has not changed: its instances have their own errors.
    const found = await readVersion().catch(() => version);
    if (found === version) return;
    const isFirst = version === undefined;
    version = found;
    try {
      // A file that is gone is more likely a mistake than the wish to remove everything.
      const instances = await readRegistry(dataDir, rules);
      if (instances === null) throw new Error("The registry of the instances is gone");
      if (!isFirst || !isDeepStrictEqual(instances, loaded)) listener.onChange(instances);
    } catch (error) {
      listener.onRefused(error);
    }
  }

  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void poll().finally(() => {
      isReading = false;
    });
  }, POLL_MS).unref();
  return () => {
    clearInterval(timer);
    directory?.close();
  };
}

/** One handle for all looks; a database that was away at the first is opened by a later one. */
function openDirectoryOnce(store: string) {
  let opening: Promise<OpenDatabase> | null = null;
  const close = async () => {
    const opened = await opening?.catch(() => null);
    await opened?.close();
  };
  return {
    open(): Promise<OpenDatabase> {
      opening ??= openDatabase(store).catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    close: () => void close(),
  };
}
