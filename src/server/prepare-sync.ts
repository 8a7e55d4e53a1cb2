import type { LineWriter } from "../http/request-log.ts";
import type { Configuration, SyncConfiguration } from "./configuration-schema.ts";
import { startServiceBackups } from "./backups/start-service-backups.ts";
import { expectFreeDisk } from "./free-disk.ts";
import { loadInstances } from "./instances/load-instances.ts";
import { prepareSyncHost } from "./instances/prepare-host.ts";
import { logNotice, type ServiceNotice } from "./notices.ts";
import { openSyncService } from "./open-sync-service.ts";
import type { ReadyService } from "./start.ts";
import type { ServiceObservers } from "./service-observers.ts";
import { describeStore } from "./service-store.ts";

export async function prepareSync(
  section: SyncConfiguration,
  configuration: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  const instances = await loadInstances(section, configuration);
  if (instances !== null) return prepareSyncHost(section, configuration, instances, log, observers);
  const { dataDir, trustedProxies, http } = configuration;
  const onNotice = (notice: ServiceNotice) => logNotice(log, "sync", notice);
  const { store, service, close } = await openSyncService(section, dataDir, {
    trustedProxies,
    streamIdleTimeoutMs: http.responseTimeoutSeconds * 1000,
    log,
    observers,
    onNotice,
  });
  const described = await describeStore(store, close);
  const closeBackups = startServiceBackups("sync", section, dataDir, onNotice);
  return {
    name: "sync",
    store: {
      ...described,
      async checkReady() {
        await expectFreeDisk(dataDir, section.store);
        await service.checkReady();
      },
    },
    origins: [{ name: "sync", http: service.http, at: section.listen }],
    endStreams: service.endStreams,
    async close() {
      await closeBackups();
      await close();
    },
  };
}
