import type { LineWriter } from "../http/request-log.ts";
import { createAccessTokens, readAccessToken } from "../sync/devices/access-tokens.ts";
import type { Configuration, SyncConfiguration } from "../configuration/configuration-schema.ts";
import { startServiceBackups } from "../operate/backups/start-service-backups.ts";
import { expectFreeDisk } from "../database/free-disk.ts";
import { loadInstances } from "../configuration/load-instances.ts";
import { prepareSyncHost } from "./prepare-host.ts";
import { logNotice, type ServiceNotice } from "../operate/notices.ts";
import { openSyncService } from "../hosting/open-sync-service.ts";
import { paceStrangers } from "./pace-strangers.ts";
import { describeStore, type Development, type ReadyService } from "./ready-service.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";

export async function prepareSync(
  section: SyncConfiguration,
  configuration: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
  development?: Development,
): Promise<ReadyService> {
  const instances = await loadInstances(section, configuration);
  if (instances !== null) return prepareSyncHost(section, configuration, instances, log, observers);
  const { dataDir, trustedProxies, http: limits } = configuration;
  const onNotice = (notice: ServiceNotice) => logNotice(log, "sync", notice);
  const { store, service, close } = await openSyncService(section, dataDir, {
    trustedProxies,
    streamIdleTimeoutMs: limits.responseTimeoutSeconds * 1000,
    log,
    observers,
    onNotice,
    allowLoopbackApps: development !== undefined,
  });
  const described = await describeStore(store, close);
  const { isGenuine } = createAccessTokens(store.instanceKey);
  const paced = paceStrangers(service.http, (request) => !isGenuine(readAccessToken(request)));
  const http = development?.addPages(paced) ?? paced;
  let closeBackups = async () => {};
  return {
    name: "sync",
    store: {
      ...described,
      async checkReady() {
        await expectFreeDisk(dataDir, section.store);
        await service.checkReady();
      },
    },
    origins: [{ name: "sync", http, at: section.listen }],
    endStreams: service.endStreams,
    begin() {
      // A server that cannot listen leaves no backup behind.
      closeBackups = startServiceBackups("sync", section, dataDir, onNotice);
    },
    async close() {
      await closeBackups();
      await close();
    },
  };
}
