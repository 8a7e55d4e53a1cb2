import { readLastBackupOf } from "../database/backup/write-backup.ts";
import type { OwnerBackups } from "../contract/sync/page-views.ts";
import type { LineWriter } from "../http/line-writer.ts";
import type { Configuration, SyncConfiguration } from "./configuration-schema.ts";
import { describeNotice, describeSecurityEvent, describeSessionsRevoked } from "./notices.ts";
import { openKeyedSyncStore } from "./open-sync-store.ts";
import type { ReadyService } from "./start.ts";
import { describeStore } from "./service-store.ts";
import type { PutBackFindings } from "../sync/sql/put-back-watch.ts";
import { createSyncService } from "./sync.ts";

export async function prepareSync(
  { listen: at, store: address, instanceKeyFile, ...settings }: SyncConfiguration,
  { dataDir, trustedProxies, http }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const tell = ({ wasPutBack, sessionsWereRevoked }: PutBackFindings) => {
    if (wasPutBack) {
      log.event(...describeSecurityEvent("sync", { kind: "store-restored", network: null }));
    }
    if (sessionsWereRevoked) log.event(...describeSessionsRevoked("sync"));
  };
  const store = await openKeyedSyncStore({ store: address, instanceKeyFile }, dataDir, {
    // A snapshot that no client reads ends with its response.
    streamIdleTimeoutMs: http.responseTimeoutSeconds * 1000,
    onPutBack: tell,
  });
  tell(store);
  const described = await describeStore(store);
  const service = createSyncService({
    ...settings,
    store,
    instanceKey: store.instanceKey,
    readBackups: () => readBackups(dataDir),
    trustedProxies,
    log,
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  return {
    name: "sync",
    store: described,
    origins: [{ name: "sync", http: service.http, at }],
    endStreams: service.endStreams,
    close: service.close,
  };
}

async function readBackups(dataDir: string): Promise<OwnerBackups> {
  const last = await readLastBackupOf(dataDir, "sync");
  return {
    last: last === null ? null : { createdAt: Date.parse(last.createdAt), bytes: null },
    failingSince: null,
  };
}
