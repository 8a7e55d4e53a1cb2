import { listLockedAccounts } from "../../../identity/bind-instance-key.ts";
import { keyPlaceOf } from "../../../identity/key-place.ts";
import { refreshUsage } from "../../../hosting/refresh-usage.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";
import type { SyncManifest } from "../../../sync/maintenance/backup.ts";
import type { SyncStoreStatus } from "../../../sync/maintenance/read-status.ts";
import type { SyncRestoreResult } from "../../../sync/maintenance/restore.ts";
import type { Line } from "../../command.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { manifestToJson, type ManagedService } from "../store/managed-service.ts";
import { withSyncStore } from "./open-store.ts";

export const managedSync: ManagedService<SyncManifest, SyncStoreStatus, SyncRestoreResult> = {
  ...SYNC_STORE,
  descriptions: {
    contents:
      "It has everything that was synced, unencrypted unless the app seals it: keep it as private as the store.",
    excluded: "sessions of devices are never included.",
    check: "every entity's state is the result of its operations",
    restore:
      "A new generation begins: every device pulls everything again and pushes what the backup lacks, so nothing that a device still has is lost. The store's account and signed-in devices stay; a store without an account gets the account of the backup.",
    missingKey: "",
    sessions: "on another machine, devices sign in again",
    rotate:
      "Passwords stay the same and devices stay signed in: their tokens from the old key are accepted until they renew them, for at most 60 days.",
  },
  withDatabase: (context, work) =>
    withSyncStore(context, "read", ({ database }, { dataDir }) => work(database, dataDir)),
  describeContents: ({ username, entities, counts, headOffset, generation, isSealed }) => [
    `Account     ${username === null ? "none" : `"${username}"`}`,
    `Entities    ${formatNumber(entities.live)} live, ${formatNumber(entities.deleted)} deleted, ${formatNumber(entities.awaiting)} awaiting their create`,
    `Log         ${formatCount(counts.sync_operations, "operation")}, head ${headOffset}, generation ${generation}`,
    ...(isSealed
      ? ["Data        sealed by devices: `trellis sync open` opens it with the recovery key"]
      : []),
  ],
  describeConsequence: (manifest, present) =>
    `This replaces ${formatEntities(present.entities.live)} with ${formatNumber(manifest.entities.live)} from ${manifest.createdAt}`,
  async summarizeRestore(context, report) {
    const { manifest, replaced, keptAt, head, account } = report;
    const locked = await withSyncStore(
      context,
      "read",
      async ({ database }, { dataDir }, section) => {
        await refreshUsage(dataDir, database, Date.now());
        return listLockedAccounts(database, {
          realm: SYNC_STORE.name,
          place: keyPlaceOf(section),
        });
      },
    );
    const isPasswordUsable = locked.length === 0;
    return {
      lines: [
        `Replaced ${formatEntities(replaced.entities.live)} with ${formatNumber(manifest.entities.live)} from ${manifest.createdAt}`,
        keptAt !== null && `The replaced contents are at ${keptAt}`,
        `Generation ${head.generation} began: devices pull everything again and push what is missing`,
        describeAccount(account, isPasswordUsable),
        manifest.isSealed && KEY_OF_ITS_TIME,
      ],
      json: {
        backup: manifestToJson(manifest),
        replaced: { entities: replaced.entities, headOffset: replaced.headOffset },
        keptAt,
        generation: head.generation,
        headOffset: head.headOffset,
        account,
        isPasswordUsable,
      },
    };
  },
};

const KEY_OF_ITS_TIME =
  "The data is sealed, and so is the list of its keys of that time. If the recovery key was replaced since then, enter the former one on a device that asks for it, and replace it again before other devices sign in";

function describeAccount(account: SyncRestoreResult["account"], isPasswordUsable: boolean): Line {
  if (account === "none") return "There is no account: run `trellis sync account create`";
  if (!isPasswordUsable) {
    return "The account's password is encrypted with another instance key: set a new one with `trellis sync account password`";
  }
  return account === "kept" && "The account and its signed-in devices are unchanged";
}

const formatEntities = (count: number) => formatCount(count, "entity", "entities");
