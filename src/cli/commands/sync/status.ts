import { join } from "node:path";
import { listSqlSecurityCounts } from "../../../identity/sql-identity-records.ts";
import { describeSecurityCount } from "../../../server/describe-security-counts.ts";
import { describeKeys, summarizeKeys } from "../../../server/describe-key.ts";
import { readKeyRing } from "../../../identity/instance-key.ts";
import { readBackupState, type BackupRecord } from "../../../server/backup-state.ts";
import { STORED_SYNC } from "../../../server/stored-sync.ts";
import { readSyncStatus, type SyncStatus } from "../../../sync/maintenance/read-status.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber, formatTime } from "../../format.ts";
import { describeBackups } from "../store/describe-backups.ts";
import { withSyncAdministration } from "./open-store.ts";

export const syncStatusCommand = defineCommand({
  async run(context) {
    const status = await withSyncAdministration(
      context,
      "read",
      async (administration, store, { dataDir, sync }) => {
        const ring = sync === undefined ? null : readKeyRing(sync.instanceKeyFile);
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
          key: ring === null ? null : summarizeKeys(ring),
          backups: await readBackupState(dataDir, "sync"),
          securityEvents: await listSqlSecurityCounts(store.database, SYNC_REALM),
          highWater: store.highWater.read(),
          highWaterFile: join(dataDir, STORED_SYNC.highWaterFile),
        };
      },
    );
    const { account, entities, backups } = status;
    const lag = backups.last === null ? null : describeLag(status, backups.last);
    context.print(
      `Account      ${account === null ? "none: run `trellis sync account create`" : `"${account.username}", ${formatCount(status.devices, "device")} signed in`}`,
      `Entities     ${formatNumber(entities.live)} live, ${formatNumber(entities.deleted)} deleted, ${formatNumber(entities.awaiting)} awaiting their create`,
      `Log          ${formatCount(status.operations, "operation")} of ${formatNumber(status.ledger)} ever stored`,
      `Head         ${status.headOffset}, floor ${status.compactionFloor}, generation ${status.generation}`,
      `High water   ${status.highWater?.headOffset ?? "none"}`,
      `Store        ${status.store}, ${formatBytes(status.databaseBytes)}`,
      ...(status.key === null ? [] : [`Key          ${describeKeys(status.key, Date.now())}`]),
      ...describeBackups("sync", backups, Date.now(), lag).map((line) => `Last backup  ${line}`),
      ...status.securityEvents.map((count) => `Security     ${describeSecurityCount(count)}`),
    );
    context.json(status);
  },
});

/** Null for a backup that another server made. */
function describeLag(
  { generation, headOffset }: SyncStatus,
  { facts }: BackupRecord,
): string | null {
  const last = facts["headOffset"];
  if (typeof last !== "number") return null;
  if (facts["generation"] !== generation) return "of an earlier generation";
  const missing = headOffset - last;
  return missing === 0 ? "up to date" : `${formatCount(missing, "operation")} behind`;
}
