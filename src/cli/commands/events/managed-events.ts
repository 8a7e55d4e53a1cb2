import type { EventsBackupManifest } from "../../../events/maintenance/backup.ts";
import type { EventsStatus } from "../../../events/maintenance/read-status.ts";
import type { EventsRestoreResult } from "../../../events/maintenance/restore.ts";
import { listLockedAccounts } from "../../../identity/bind-instance-key.ts";
import { keyPlaceOf } from "../../../identity/key-place.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { manifestToJson, type ManagedService } from "../store/managed-service.ts";
import { withEventsStore } from "./open-store.ts";

export const managedEvents: ManagedService<
  EventsBackupManifest,
  EventsStatus,
  EventsRestoreResult
> = {
  ...EVENTS_STORE,
  descriptions: {
    contents: "It has the events of every account, unencrypted: keep it as private as the store.",
    excluded: "sessions of browsers are never included.",
    check: "its rows are consistent",
    restore:
      "Apps read all events again and miss none. An account that exists in the store keeps its password and its connected apps, so that changes and revocations since the backup stay in force; accounts that the backup does not have are not changed.",
    missingKey: "; passwords and calendar addresses are encrypted with it",
    sessions: "browsers sign in again",
    rotate: "Passwords, connected apps, browsers and subscriptions stay as they are.",
  },
  withDatabase: (context, work) =>
    withEventsStore(context, "read", ({ database }, { dataDir }) => work(database, dataDir)),
  describeContents: ({ usernames, events, counts }) => [
    `Accounts    ${usernames.length === 0 ? "none" : usernames.map((name) => `"${name}"`).join(", ")}`,
    `Events      ${formatNumber(events.live)} live, ${formatNumber(events.deleted)} deleted`,
    `Sources     ${formatCount(counts.events_sources, "source")}, ${formatCount(counts.events_subscriptions, "subscription")}`,
    `Apps        ${formatCount(counts.events_grants, "connected app")}`,
  ],
  describeConsequence: (manifest, present) =>
    `This restores ${formatCount(manifest.events.live, "event")} of ${formatCount(manifest.usernames.length, "account")} from ${manifest.createdAt} into a store with ${formatCount(present.events.live, "event")} of ${formatCount(present.accounts, "account")}`,
  async summarizeRestore(context, { manifest, replaced, ...counts }) {
    const lockedOut = await withEventsStore(
      context,
      "read",
      ({ database }, _configuration, section) =>
        listLockedAccounts(database, {
          realm: EVENTS_STORE.name,
          place: keyPlaceOf(section),
        }),
    );
    const { keptAt, addedAccounts, replacedAccounts, deletedEvents } = counts;
    return {
      lines: [
        `Restored ${formatCount(manifest.events.live, "event")} from ${manifest.createdAt}: ${formatCount(addedAccounts, "account")} added, ${formatCount(replacedAccounts, "account")} replaced, ${formatCount(deletedEvents, "event")} deleted`,
        keptAt !== null && `The replaced contents are at ${keptAt}`,
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
