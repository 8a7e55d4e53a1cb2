/** A server with many instances, for `serve`. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { createPrivateFolder } from "../database/create-private-folder.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { LineWriter } from "../http/request-log.ts";
import { ConfigurationError } from "../configuration/configuration-error.ts";
import type { Configuration, SyncConfiguration } from "../configuration/configuration-schema.ts";
import { expectFreeDisk } from "../database/free-disk.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";
import type { ReadyService } from "./ready-service.ts";
import { INSTANCES_FOLDER, toHostConfiguration } from "../configuration/instance.ts";
import { labelLog, logHostNotice } from "../hosting/instance-log.ts";
import { expectKeyOfHost } from "../identity/key-of-host.ts";
import { leaseHost } from "../hosting/lease-host.ts";
import type { LoadedInstances } from "../configuration/load-instances.ts";
import { startSyncHost } from "../hosting/sync-host.ts";
import { watchRegistry } from "../hosting/watch-registry.ts";

export async function prepareSyncHost(
  sync: SyncConfiguration,
  { dataDir, trustedProxies, http }: Configuration,
  { source, instances }: LoadedInstances,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  const folder = join(dataDir, INSTANCES_FOLDER);
  createPrivateFolder(folder);
  await expectKeyOfHost(sync);
  const lease = await leaseHost(dataDir);
  const host = startSyncHost({
    ...toHostConfiguration(sync, dataDir),
    instances,
    createsFolders: source === "configuration",
    trustedProxies,
    streamIdleTimeoutMs: http.responseTimeoutSeconds * 1000,
    ...(observers !== undefined && { observers }),
    log: (instance) => (instance === null ? log : labelLog(log, instance)),
    onNotice: (notice, instance) => logHostNotice(labelLog(log, instance), notice),
  });
  const onRefused = (error: unknown) => {
    const errors = error instanceof ConfigurationError ? error.errors : [];
    const message =
      "The registry of the instances cannot be used: the last good one stays in force";
    log.event("instances_refused", { service: "sync", message, errors }, "error");
  };
  const endWatch =
    source === "configuration"
      ? () => {}
      : watchRegistry(dataDir, sync, instances, {
          onChange(changed) {
            // The change is in force at once; the promise resolves when no changed instance has requests.
            host.replaceInstances(changed).catch(onRefused);
            const count = Object.keys(changed).length;
            log.event("instances_loaded", { service: "sync", instances: count });
          },
          onRefused,
        });
  return {
    name: "sync",
    store: {
      kind: sqlitePath(sync.store) === undefined ? "postgres" : "sqlite",
      async checkReady() {
        await access(folder, constants.W_OK).catch(() => {
          throw new StorageUnavailableError("the folder of the instances cannot be written");
        });
        await expectFreeDisk(dataDir, null);
        await host.probeWrite();
      },
      // A worker belongs to no instance; the log has its death.
      countWorkerDeath: async () => {},
    },
    origins: [{ name: "sync", http: host.http, at: sync.listen }],
    endStreams: host.endStreams,
    async close() {
      endWatch();
      await host.close();
      await lease.release();
    },
  };
}
