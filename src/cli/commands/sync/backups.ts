import { rememberLastBackup } from "../../../database/backup/write-backup.ts";
import { restoreSync, type RestoreReport } from "../../../server/restore-sync.ts";
import {
  createSyncBackup,
  verifySyncBackup,
  type SyncLastBackup,
  type SyncManifest,
} from "../../../sync/maintenance/backup.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { manifestToJson, type BackupService } from "../store/backup-service.ts";
import { withSyncAdministration, withSyncStore } from "./open-store.ts";

export const syncBackups: BackupService<SyncManifest, RestoreReport> = {
  name: "sync",
  realm: SYNC_REALM,
  descriptions: {
    contents: "It has everything that was synced, unencrypted: keep it as private as the store.",
    excluded: "sessions of devices are never included.",
    check: "every entity's state is the result of its operations",
    restore:
      "A new generation begins: every device pulls everything again and pushes what the backup lacks, so that nothing a device still has is lost. The store's account and signed-in devices stay; a store without an account gets the account of the backup.",
  },
  createBackup: (context, file, prepare) =>
    withSyncStore(context, async ({ database }, { dataDir }) => {
      const options = await prepare();
      return explainFileErrors(async () => {
        const manifest = await createSyncBackup(database, file, options);
        const { createdAt, generation, headOffset, sha256 } = manifest;
        const last: SyncLastBackup = { createdAt, file, generation, headOffset, sha256 };
        await rememberLastBackup(dataDir, "sync", last);
        return manifest;
      });
    }),
  verifyBackup: verifySyncBackup,
  describeContents: ({ username, entities, counts, headOffset, generation }) => [
    `Account     ${username === null ? "none" : `"${username}"`}`,
    `Entities    ${formatNumber(entities.live)} live, ${formatNumber(entities.deleted)} deleted, ${formatNumber(entities.awaiting)} awaiting their create`,
    `Log         ${formatCount(counts.sync_operations, "operation")}, head ${headOffset}, generation ${generation}`,
  ],
  describeExcluded: (hasInstanceKey) => [
    hasInstanceKey
      ? "Key         included, encrypted with your passphrase"
      : "Key         not included: keep a copy of the key file apart from the backup",
    "Sessions    not included: on another machine, devices sign in again",
  ],
  restore: (target, file, approve) =>
    restoreSync(target, file, (manifest, present) =>
      approve(
        manifest,
        `This replaces ${formatEntities(present.entities.live)} with ${formatNumber(manifest.entities.live)} from ${manifest.createdAt}`,
      ),
    ),
  async summarizeRestore(context, report) {
    const { manifest, replaced, keptAt, head, account } = report;
    const isPasswordUsable =
      account === "none" ||
      (await withSyncAdministration(context, ({ hasUsablePassword }) => hasUsablePassword()));
    return {
      lines: [
        `Replaced ${formatEntities(replaced.entities.live)} with ${formatNumber(manifest.entities.live)} from ${manifest.createdAt}`,
        ...(keptAt === null ? [] : [`The replaced contents are at ${keptAt}`]),
        `Generation ${head.generation} began: devices pull everything again and push what is missing`,
        ...describeAccount(account, isPasswordUsable),
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

function describeAccount(account: RestoreReport["account"], isPasswordUsable: boolean): string[] {
  if (account === "none") return ["There is no account: run `trellis sync account create`"];
  if (!isPasswordUsable) {
    return [
      "The account's password is encrypted with another instance key: set a new one with `trellis sync account password`",
    ];
  }
  return account === "kept" ? ["The account and its signed-in devices are unchanged"] : [];
}

const formatEntities = (count: number) => formatCount(count, "entity", "entities");
