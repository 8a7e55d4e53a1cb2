import { join } from "node:path";
import type { BackupRecord } from "../../../backup/backup-state.ts";
import { findProfileError } from "../../../sync/sql/check-profile.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";
import { readSyncStatus, type SyncStoreStatus } from "../../../sync/maintenance/read-status.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber, formatTime } from "../../format.ts";
import { describeStoreStatus, readStoreStatus } from "../store/store-status.ts";
import { withSyncAdministration } from "./open-store.ts";

export const command = defineCommand({
  async run(context) {
    const status = await withSyncAdministration(
      context,
      "read",
      async ({ findAccount, listDevices, store, configuration, settings }) => {
        const { dataDir } = configuration;
        const account = await findAccount();
        const profileError = await findProfileError(store.database, settings.profile);
        return {
          account:
            account === null
              ? null
              : {
                  username: account.username,
                  passwordChangedAt: formatTime(account.passwordChangedAt),
                },
          devices: (await listDevices()).length,
          isSealed: settings.profile === "sealed" && profileError === null,
          profileError: profileError?.message ?? null,
          store: store.database.dialect,
          ...(await readSyncStatus(store.database)),
          ...(await readStoreStatus("sync", store.database, dataDir, settings)),
          highWater: store.highWater.read(),
          highWaterFile: join(dataDir, SYNC_STORE.highWaterFile),
        };
      },
    );
    const { account, entities, backups } = status;
    const lag = backups.last === null ? null : describeLag(status, backups.last);
    context.print(
      `Account      ${account === null ? "none: run `trellis sync account create --username NAME`, or `trellis sync account create --invite`" : `"${account.username}", ${formatCount(status.devices, "device")} signed in`}`,
      status.isSealed && `Data         ${SEALED}`,
      status.profileError !== null && `Profile      ${status.profileError}`,
      `Entities     ${formatNumber(entities.live)} live, ${formatNumber(entities.deleted)} deleted, ${formatNumber(entities.awaiting)} awaiting their create`,
      `Log          ${formatCount(status.operations, "operation")} of ${formatNumber(status.ledger)} ever stored`,
      `Head         ${status.headOffset}, floor ${status.compactionFloor}, generation ${status.generation}`,
      `High water   ${status.highWater?.headOffset ?? "none"}`,
      `Store        ${status.store}, ${formatBytes(status.databaseBytes)}`,
      ...describeStoreStatus("sync", status, LABEL_WIDTH, lag),
    );
    context.json(status);
  },
});

export const SEALED = "sealed: this server cannot read the data";

const LABEL_WIDTH = 13;

/** What the backup lacks of the store; null for a backup that another server made. */
function describeLag(
  { generation, headOffset }: SyncStoreStatus,
  { facts }: BackupRecord,
): string | null {
  const last = facts["headOffset"];
  if (typeof last !== "number") return null;
  if (facts["generation"] !== generation) return "of an earlier generation";
  const missing = headOffset - last;
  return missing === 0 ? "up to date" : `${formatCount(missing, "operation")} behind`;
}
