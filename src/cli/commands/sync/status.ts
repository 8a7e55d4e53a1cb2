import { join } from "node:path";
import { readLastBackupOf } from "../../../database/backup/last-backup.ts";
import { HIGH_WATER_FILE } from "../../../server/open-sync-store.ts";
import type { SyncLastBackup } from "../../../sync/maintenance/backup.ts";
import { readSyncStatus, type SyncStatus } from "../../../sync/maintenance/read-status.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { formatBytes } from "../../format-bytes.ts";
import { withAdministration } from "./open-store.ts";
import { toTime } from "../../to-time.ts";

export const statusCommand = defineCommand({
  summary: "Show where the store stands",
  async run(context) {
    const status = await withAdministration(context, async (administration, store, settings) => {
      const { dataDir } = settings.configuration;
      const account = await administration.findAccount();
      return {
        account:
          account === null
            ? null
            : { username: account.username, passwordChangedAt: toTime(account.passwordChangedAt) },
        devices: (await administration.listDevices()).length,
        store: store.database.dialect,
        ...(await readSyncStatus(store.database)),
        lastBackup: await readLastBackupOf<SyncLastBackup>(dataDir, "sync"),
        highWater: store.highWater.read(),
        highWaterFile: join(dataDir, HIGH_WATER_FILE),
      };
    });
    for (const line of describe(status)) context.print(line);
    context.json(status);
  },
});

interface Described extends SyncStatus {
  readonly account: { readonly username: string } | null;
  readonly devices: number;
  readonly store: string;
  readonly lastBackup: SyncLastBackup | null;
  readonly highWater: { readonly headOffset: number } | null;
}

function describe(status: Described): string[] {
  const { entities, lastBackup } = status;
  const number = (count: number) => count.toLocaleString("en-US");
  return [
    `Account      ${status.account === null ? "none: run `trellis sync account create`" : `"${status.account.username}", ${countOf(status.devices, "device")} signed in`}`,
    `Entities     ${number(entities.live)} live, ${number(entities.deleted)} deleted, ${number(entities.awaiting)} awaiting their create`,
    `Log          ${countOf(status.operations, "operation")} of ${number(status.ledger)} ever stored`,
    `Head         ${status.headOffset}, floor ${status.compactionFloor}, generation ${status.generation}`,
    `High water   ${status.highWater?.headOffset ?? "none"}`,
    `Store        ${status.store}, ${formatBytes(status.databaseBytes)}`,
    `Last backup  ${lastBackup === null ? "none: run `trellis sync backup FILE`" : `${lastBackup.createdAt}, ${lastBackup.file} (${describeLag(status, lastBackup)})`}`,
  ];
}

function describeLag({ generation, headOffset }: SyncStatus, last: SyncLastBackup): string {
  if (last.generation !== generation) return "of an earlier generation";
  const missing = headOffset - last.headOffset;
  return missing === 0 ? "has everything" : `${countOf(missing, "operation")} behind`;
}
