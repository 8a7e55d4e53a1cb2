import { rememberLastBackup } from "../../../database/backup/write-backup.ts";
import type { EventsBackupManifest } from "../../../events/maintenance/backup-format.ts";
import { createEventsBackup } from "../../../events/maintenance/backup.ts";
import { verifyEventsBackup } from "../../../events/maintenance/backup.ts";
import { EVENTS_REALM } from "../../../events/store.ts";
import { restoreEvents, type EventsRestoreReport } from "../../../server/restore-events.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { manifestToJson, type BackupService } from "../store/backup-service.ts";
import { withEventsAdministration } from "./open-store.ts";

export const eventsBackups: BackupService<EventsBackupManifest, EventsRestoreReport> = {
  name: "events",
  realm: EVENTS_REALM,
  descriptions: {
    contents: "It has the events of every account, unencrypted: keep it as private as the store.",
    excluded: "sessions of browsers are never included.",
    check: "its rows are consistent",
    restore:
      "Apps read all events again and miss none. An account that exists in the store keeps its password and its connected apps, so that changes and revocations since the backup stay in force; accounts that the backup does not have are not changed.",
  },
  createBackup: (context, file, prepare) =>
    withEventsAdministration(context, async ({ store, configuration }) => {
      const options = await prepare();
      return explainFileErrors(async () => {
        const manifest = await createEventsBackup(store.database, file, options);
        const { createdAt, sha256 } = manifest;
        await rememberLastBackup(configuration.dataDir, "events", { createdAt, file, sha256 });
        return manifest;
      });
    }),
  verifyBackup: verifyEventsBackup,
  describeContents: ({ usernames, events, counts }) => [
    `Accounts    ${usernames.length === 0 ? "none" : usernames.map((name) => `"${name}"`).join(", ")}`,
    `Events      ${formatNumber(events.live)} live, ${formatNumber(events.deleted)} deleted`,
    `Sources     ${formatCount(counts.events_sources, "source")}, ${formatCount(counts.events_subscriptions, "subscription")}`,
    `Apps        ${formatCount(counts.events_grants, "connected app")}`,
  ],
  describeExcluded: (hasInstanceKey) => [
    hasInstanceKey
      ? "Key         included, encrypted with your passphrase"
      : "Key         not included: keep a copy of the key file apart from the backup; passwords and calendar addresses are encrypted with it",
    "Sessions    not included: browsers sign in again",
  ],
  restore: (target, file, approve) =>
    restoreEvents(target, file, (manifest, present) =>
      approve(
        manifest,
        `This restores ${formatCount(manifest.events.live, "event")} of ${formatCount(manifest.usernames.length, "account")} from ${manifest.createdAt} into a store with ${formatCount(present.events.live, "event")} of ${formatCount(present.accounts, "account")}`,
      ),
    ),
  async summarizeRestore(context, { manifest, replaced, ...counts }) {
    const lockedOut = await findLockedOut(context);
    const { keptAt, addedAccounts, replacedAccounts, deletedEvents } = counts;
    return {
      lines: [
        `Restored ${formatCount(manifest.events.live, "event")} from ${manifest.createdAt}: ${formatCount(addedAccounts, "account")} added, ${formatCount(replacedAccounts, "account")} replaced, ${formatCount(deletedEvents, "event")} deleted`,
        ...(keptAt === null ? [] : [`The replaced contents are at ${keptAt}`]),
        ...lockedOut.map(
          (username) =>
            `The password and the calendar addresses of "${username}" are encrypted with another instance key: set a new password with \`trellis events account password --username ${username}\`, and subscribe again`,
        ),
      ],
      json: {
        backup: manifestToJson(manifest),
        replaced: { accounts: replaced.accounts, events: replaced.events },
        ...counts,
        lockedOut,
      },
    };
  },
};

/** The accounts whose passwords the instance key cannot decrypt. */
function findLockedOut(context: Parameters<typeof withEventsAdministration>[0]) {
  return withEventsAdministration(context, async ({ listAccounts, hasUsablePassword }) => {
    const usernames: string[] = [];
    for (const { username } of await listAccounts()) {
      if (!(await hasUsablePassword(username))) usernames.push(username);
    }
    return usernames;
  });
}
