import type { LineWriter } from "../http/line-writer.ts";
import type { Configuration, SyncConfiguration } from "./configuration-schema.ts";
import { startServiceBackups } from "./backups/start-service-backups.ts";
import { loadInstances } from "./instances/load-instances.ts";
import { toQuota } from "./instances/open-instance.ts";
import { prepareSyncHost } from "./instances/prepare-host.ts";
import {
  describeNotice,
  describeSecurityEvent,
  describeSessionsRevoked,
  describeUpgradeCopy,
} from "./notices.ts";
import { openKeyedSyncStore } from "./stored-sync.ts";
import { readOwnerBackups } from "./owner-backups.ts";
import type { ReadyService } from "./start.ts";
import type { ServiceObservers } from "./service-observers.ts";
import { describeStore } from "./service-store.ts";
import type { PutBackFindings } from "../sync/sql/put-back-watch.ts";
import { createSyncService } from "./sync.ts";

export async function prepareSync(
  section: SyncConfiguration,
  configuration: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  const instances = await loadInstances(section, configuration);
  if (instances !== null) return prepareSyncHost(section, configuration, instances, log, observers);
  const { listen: at, store: address, instanceKeyFile, backup, ...settings } = section;
  const { dataDir, trustedProxies, http } = configuration;
  const tell = ({ wasPutBack, sessionsWereRevoked }: PutBackFindings) => {
    if (wasPutBack) {
      log.event(...describeSecurityEvent("sync", { kind: "store-restored", network: null }));
    }
    if (sessionsWereRevoked) log.event(...describeSessionsRevoked("sync"));
  };
  const meter = observers?.sync("");
  const store = await openKeyedSyncStore({ store: address, instanceKeyFile }, dataDir, {
    // A snapshot that no client reads ends with its response.
    streamIdleTimeoutMs: http.responseTimeoutSeconds * 1000,
    onPutBack: tell,
    onUpgradeCopy: (file) => log.event(...describeUpgradeCopy("sync", file)),
    onAppendGroup: meter?.appendGroup,
    observer: observers?.database("sync"),
  });
  const watched = meter?.watch({ database: store.database, address, dataDir });
  tell(store);
  const described = await describeStore(store);
  const service = createSyncService({
    ...settings,
    quota: toQuota(settings.quota, store),
    store,
    instanceKey: store.instanceKey,
    readBackups: () => readOwnerBackups(dataDir),
    trustedProxies,
    log,
    ...(observers && meter && { observer: { ...observers.requests("sync"), ...meter } }),
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  const closeBackups = startServiceBackups(
    backup,
    { service: "sync", store: address, dataDir, instanceKeyFile },
    log,
  );
  return {
    name: "sync",
    store: described,
    origins: [{ name: "sync", http: service.http, at }],
    endStreams: service.endStreams,
    async close() {
      await closeBackups();
      await watched?.close();
      await service.close();
    },
  };
}
