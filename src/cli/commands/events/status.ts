import { readLastBackupOf, type LastBackup } from "../../../database/backup/last-backup.ts";
import { readEventsStatus, type EventsStatus } from "../../../events/maintenance/read-status.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber } from "../../format.ts";
import { withEventsAdministration } from "./open-store.ts";

export const eventsStatusCommand = defineCommand({
  async run(context) {
    const status = await withEventsAdministration(context, async ({ store, configuration }) => {
      const listed = await store.transaction(({ subscriptions }) => subscriptions.list());
      return {
        store: store.database.dialect,
        ...(await readEventsStatus(store.database)),
        failingSubscriptions: listed.filter(({ lastFault }) => lastFault !== null).length,
        heldSubscriptions: listed.filter(({ warning }) => warning !== null).length,
        lastBackup: await readLastBackupOf(configuration.dataDir, "events"),
      };
    });
    for (const line of describe(status)) context.print(line);
    context.json(status);
  },
});

interface DescribedStatus extends EventsStatus {
  readonly store: string;
  readonly failingSubscriptions: number;
  readonly heldSubscriptions: number;
  readonly lastBackup: LastBackup | null;
}

function describe(status: DescribedStatus): string[] {
  const { accounts, events, lastBackup } = status;
  return [
    `Accounts       ${accounts === 0 ? "none: run `trellis events account create`" : formatNumber(accounts)}`,
    `Events         ${formatNumber(events.live)} live, ${formatNumber(events.deleted)} deleted`,
    `Subscriptions  ${describeSubscriptions(status)}`,
    `Apps           ${formatCount(status.grants, "connected app")}`,
    `Store          ${status.store}, ${formatBytes(status.databaseBytes)}`,
    `Last backup    ${lastBackup === null ? "none: run `trellis events backup FILE`" : `${lastBackup.createdAt}, ${lastBackup.file}`}`,
  ];
}

function describeSubscriptions(status: DescribedStatus): string {
  const { subscriptions, failingSubscriptions: failing, heldSubscriptions: held } = status;
  const notes = [
    ...(failing === 0 ? [] : [`${formatNumber(failing)} failing`]),
    ...(held === 0 ? [] : [`${formatNumber(held)} with a warning`]),
  ];
  const hint = notes.length === 0 ? "" : " (see `trellis events subscriptions list`)";
  return [formatNumber(subscriptions), ...notes].join(", ") + hint;
}
