import type { OwnerBackups } from "../contract/sync/page-views.ts";
import { readBackupState } from "./backup-state.ts";

/** What the owner's page shows of the backups of the instance in `dataDir`. */
export async function readOwnerBackups(dataDir: string): Promise<OwnerBackups> {
  const { last, failure } = await readBackupState(dataDir, "sync");
  return {
    last: last === null ? null : { createdAt: Date.parse(last.createdAt), bytes: last.bytes },
    failingSince: failure === null ? null : Date.parse(failure.since),
  };
}
