/** How far the devices of sync are behind, of the only instance or of all. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BackupState } from "../../backup/backup-state.ts";
import type { Database } from "../../database/database.ts";
import { readDeviceLags, type PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import type { CollectedMetrics } from "./collectors.ts";
import { LAG_STEPS, summarizeLags, type DeviceLags } from "./device-lags.ts";
import type { StorageMetrics } from "./storage-metrics.ts";

/** An instance of a server with several, as far as it is known without opening it. */
export interface WatchedInstance {
  readonly name: string;
  readonly isSuspended: boolean;
  /** The backups of the instance; null before they were read. */
  readonly backups: BackupState | null;
  /** The usage of the instance; null before its first use. */
  readonly usage: { readonly bytes: number; readonly lags: DeviceLags } | null;
}

export interface DeviceMetrics {
  watchDevices(database: Database, pulled: PulledOffsets): void;
  /** Watches all instances of a server with several, which are known without opening their stores. */
  watchInstances(read: () => Promise<readonly WatchedInstance[]>): void;
}

export function createDeviceMetrics(
  { metrics, addCollector, now }: CollectedMetrics,
  { setBytes, setBackups }: Pick<StorageMetrics, "setBytes" | "setBackups">,
): DeviceMetrics {
  const devices = metrics.gauge(
    "trellis_sync_devices",
    "Signed-in devices that have pulled while metrics were kept",
    ["instance"],
  );
  const lag = metrics.gauge(
    "trellis_sync_device_lag_operations",
    "How many operations the last pull of the device that is furthest behind is behind the head",
    ["instance"],
  );
  const behind = metrics.gauge(
    "trellis_sync_devices_behind",
    "Devices, of all instances, whose last pull is so many operations behind the head, or more",
    ["operations"],
  );
  const instances = metrics.gauge(
    "trellis_sync_instances",
    "Instances of a server with several: those that are served, and suspended ones",
    ["state"],
  );

  function setLags(instance: string, lags: DeviceLags): void {
    devices.with(instance).set(lags.devices);
    lag.with(instance).set(lags.furthest);
  }

  function setBehind(counts: readonly number[]): void {
    LAG_STEPS.forEach((step, index) => behind.with(String(step)).set(counts[index] ?? 0));
  }

  return {
    watchDevices(database, pulled) {
      addCollector("sync-devices", async () => {
        await pulled.flush();
        const lags = summarizeLags(await readDeviceLags(database, now()));
        setLags("", lags);
        setBehind(lags.behind);
      });
    },
    watchInstances(read) {
      addCollector("sync-instances", async () => {
        const all = await read();
        const suspended = all.filter(({ isSuspended }) => isSuspended).length;
        instances.with("suspended").set(suspended);
        instances.with("served").set(all.length - suspended);
        for (const [index, { name, backups, usage }] of all.entries()) {
          // Requests have their turn between thousands of instances.
          if (index % 1000 === 999) await nextTurn();
          if (backups !== null) setBackups("sync", name, backups);
          if (usage === null) continue;
          setBytes("sync", name, usage.bytes);
          setLags(name, usage.lags);
        }
        setBehind(
          LAG_STEPS.map((_, step) =>
            all.reduce((sum, { usage }) => sum + (usage?.lags.behind[step] ?? 0), 0),
          ),
        );
      });
    },
  };
}
