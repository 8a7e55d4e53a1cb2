import type { OwnerBackups } from "../contract/sync/page-views.ts";
import { readBackupState } from "./backup-state.ts";

/** What the owner's page shows of the backups in `dataDir`; `instance` is one of several. */
export async function readOwnerBackups(dataDir: string, instance?: string): Promise<OwnerBackups> {
  const { last, failure } = await readBackupState(dataDir, "sync");
  return {
    last: last === null ? null : { createdAt: Date.parse(last.createdAt), bytes: last.bytes },
    failingSince: failure === null ? null : Date.parse(failure.since),
    ...(instance !== undefined && { instance }),
  };
}
