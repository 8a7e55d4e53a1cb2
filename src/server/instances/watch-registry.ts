/** Notices that a command has changed the registry of a running server. */
import type { InstancesByName, SyncConfiguration } from "../configuration-schema.ts";
import { readRegistry, readRegistryVersion } from "./instance-registry.ts";

export interface RegistryListener {
  /** Must not wait for requests to end: meanwhile no other change would be noticed. */
  onChange(instances: InstancesByName): void;
  /** The file cannot be used: what was read last stays in force. */
  onRefused(error: unknown): void;
}

/** A command that suspends an instance waits for it, so it is short. */
const POLL_MS = 500;

/** Returns a function that ends the watch. */
export async function watchRegistry(
  dataDir: string,
  sync: SyncConfiguration,
  listener: RegistryListener,
): Promise<() => void> {
  let version = await readRegistryVersion(dataDir);
  let isReading = false;

  async function poll(): Promise<void> {
    const found = await readRegistryVersion(dataDir);
    if (found === version) return;
    version = found;
    try {
      // A file that is gone is more likely a mistake than the wish to remove everything.
      const instances = await readRegistry(dataDir, sync);
      if (instances === null) throw new Error("The registry of the instances is gone");
      listener.onChange(instances);
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
  return () => clearInterval(timer);
}
