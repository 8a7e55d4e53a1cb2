import { readLastBackupOf, type LastBackup } from "../../../database/backup/write-backup.ts";
import { readEventsStatus, type EventsStatus } from "../../../events/maintenance/read-status.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { formatBytes } from "../../format-bytes.ts";
import { withEventsAdministration } from "./open-store.ts";

export const statusCommand = defineCommand({
  summary: "Show where the store stands",
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

interface Described extends EventsStatus {
  readonly store: string;
  readonly failingSubscriptions: number;
  readonly heldSubscriptions: number;
  readonly lastBackup: LastBackup | null;
}

function describe(status: Described): string[] {
  const { accounts, events, lastBackup } = status;
  const number = (count: number) => count.toLocaleString("en-US");
  return [
    `Accounts       ${accounts === 0 ? "none: run `trellis events account create`" : number(accounts)}`,
    `Events         ${number(events.live)} live, ${number(events.deleted)} deleted`,
    `Subscriptions  ${describeSubscriptions(status)}`,
    `Apps           ${countOf(status.grants, "connected app")}`,
    `Store          ${status.store}, ${formatBytes(status.databaseBytes)}`,
    `Last backup    ${lastBackup === null ? "none: run `trellis events backup FILE`" : `${lastBackup.createdAt}, ${lastBackup.file}`}`,
  ];
}

function describeSubscriptions(status: Described): string {
  const { subscriptions, failingSubscriptions: failing, heldSubscriptions: held } = status;
  const notes = [
    ...(failing === 0 ? [] : [`${failing.toLocaleString("en-US")} failing`]),
    ...(held === 0 ? [] : [`${held.toLocaleString("en-US")} with a warning`]),
  ];
  const hint = notes.length === 0 ? "" : " (see `trellis events subscriptions list`)";
  return [subscriptions.toLocaleString("en-US"), ...notes].join(", ") + hint;
}
