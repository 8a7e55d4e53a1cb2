/** What a backup needs to know about a service. Only the one that is backed up is loaded. */
import type { BackupManifest } from "../../database/backup/backup-format.ts";
import type { BackupExaminer } from "../../database/backup/open-backup.ts";
import type { StoreOwner } from "../leased-store.ts";

export interface BackedUpService {
  readonly realm: string;
  readonly examiner: BackupExaminer<string, BackupManifest>;
}

export async function findBackedUpService(service: StoreOwner): Promise<BackedUpService> {
  if (service === "sync") {
    const { SYNC_EXAMINER } = await import("../../sync/maintenance/backup.ts");
    return { realm: (await import("../../sync/store.ts")).SYNC_REALM, examiner: SYNC_EXAMINER };
  }
  const { EVENTS_EXAMINER } = await import("../../events/maintenance/backup.ts");
  return { realm: (await import("../../events/store.ts")).EVENTS_REALM, examiner: EVENTS_EXAMINER };
}
