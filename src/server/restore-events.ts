/** Restores a backup into the events store of a configuration, under an exclusive lease. */
import { openDatabase } from "../database/open-database.ts";
import type { EventsBackupManifest } from "../events/maintenance/backup-format.ts";
import {
  createEventsBackup,
  openEventsBackup,
  type OpenEventsBackup,
} from "../events/maintenance/backup.ts";
import { readEventsStatus, type EventsStatus } from "../events/maintenance/read-status.ts";
import { restoreContents, type RestoreResult } from "../events/maintenance/restore.ts";
import { migrateEvents } from "../events/sql/open-sql-events-store.ts";
import { keepReplaced } from "./keep-replaced.ts";
import { leaseStore } from "./leased-store.ts";
import { PRODUCT_VERSION } from "./product-version.ts";

export interface EventsRestoreTarget {
  readonly store: string;
  readonly dataDir: string;
}

export interface EventsRestoreReport extends RestoreResult {
  readonly manifest: EventsBackupManifest;
  readonly replaced: EventsStatus;
  /** The backup of the replaced contents; null when the store had no account. */
  readonly keptAt: string | null;
}

type Confirm = (manifest: EventsBackupManifest, present: EventsStatus) => Promise<void>;

/** `confirm` throws to cancel. */
export async function restoreEvents(
  target: EventsRestoreTarget,
  file: string,
  confirm: Confirm,
): Promise<EventsRestoreReport> {
  const lease = await leaseStore("events", target.store, "exclusive");
  try {
    const backup = await openEventsBackup(file);
    try {
      return await restoreInto(target, backup, confirm);
    } finally {
      await backup.close();
    }
  } finally {
    await lease.release();
  }
}

async function restoreInto(
  target: EventsRestoreTarget,
  { manifest, contents }: OpenEventsBackup,
  confirm: Confirm,
): Promise<EventsRestoreReport> {
  const database = await openDatabase(target.store);
  try {
    await migrateEvents(database);
    const replaced = await readEventsStatus(database);
    await confirm(manifest, replaced);
    const origin = { product: PRODUCT_VERSION, now: Date.now(), instanceKey: null };
    const keptAt =
      replaced.accounts === 0
        ? null
        : await keepReplaced(database, { owner: "events", ...target }, (path) =>
            createEventsBackup(database, path, origin),
          );
    const result = await restoreContents(database, contents, Date.now());
    return { ...result, manifest, replaced, keptAt };
  } finally {
    await database.close();
  }
}
