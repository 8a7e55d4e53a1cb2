import { join } from "node:path";
import { readLastBackupOf } from "../../../database/backup/write-backup.ts";
import { listSqlSecurityCounts } from "../../../identity/sql-identity-records.ts";
import { describeSecurityCount } from "../../../server/describe-security-counts.ts";
import { HIGH_WATER_FILE } from "../../../server/open-sync-store.ts";
import type { SyncLastBackup } from "../../../sync/maintenance/backup.ts";
import { readSyncStatus, type SyncStatus } from "../../../sync/maintenance/read-status.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber, formatTime } from "../../format.ts";
import { withSyncAdministration } from "./open-store.ts";

export const syncStatusCommand = defineCommand({
  async run(context) {
    const status = await withSyncAdministration(
      context,
      "read",
      async (administration, store, { dataDir }) => {
        const account = await administration.findAccount();
        return {
          account:
            account === null
              ? null
              : {
                  username: account.username,
                  passwordChangedAt: formatTime(account.passwordChangedAt),
                },
          devices: (await administration.listDevices()).length,
          store: store.database.dialect,
          ...(await readSyncStatus(store.database)),
          lastBackup: await readLastBackupOf<SyncLastBackup>(dataDir, "sync"),
          securityEvents: await listSqlSecurityCounts(store.database, SYNC_REALM),
          highWater: store.highWater.read(),
          highWaterFile: join(dataDir, HIGH_WATER_FILE),
        };
      },
    );
    const { account, entities, lastBackup } = status;
    context.print(
      `Account      ${account === null ? "none: run `trellis sync account create`" : `"${account.username}", ${formatCount(status.devices, "device")} signed in`}`,
      `Entities     ${formatNumber(entities.live)} live, ${formatNumber(entities.deleted)} deleted, ${formatNumber(entities.awaiting)} awaiting their create`,
      `Log          ${formatCount(status.operations, "operation")} of ${formatNumber(status.ledger)} ever stored`,
      `Head         ${status.headOffset}, floor ${status.compactionFloor}, generation ${status.generation}`,
      `High water   ${status.highWater?.headOffset ?? "none"}`,
      `Store        ${status.store}, ${formatBytes(status.databaseBytes)}`,
      `Last backup  ${lastBackup === null ? "none: run `trellis sync backup FILE`" : `${lastBackup.createdAt}, ${lastBackup.file} (${describeLag(status, lastBackup)})`}`,
      ...status.securityEvents.map((count) => `Security     ${describeSecurityCount(count)}`),
    );
    context.json(status);
  },
});

function describeLag({ generation, headOffset }: SyncStatus, last: SyncLastBackup): string {
  if (last.generation !== generation) return "of an earlier generation";
  const missing = headOffset - last.headOffset;
  return missing === 0 ? "up to date" : `${formatCount(missing, "operation")} behind`;
}
