import { readEventsStatus } from "../../../events/maintenance/read-status.ts";
import { EVENTS_REALM } from "../../../events/store.ts";
import { listSqlSecurityCounts } from "../../../identity/sql-identity-records.ts";
import { describeKeys, summarizeKeys } from "../../../server/describe-key.ts";
import { readKeyRing } from "../../../identity/instance-key.ts";
import { readBackupState } from "../../../server/backup-state.ts";
import { describeSecurityCount } from "../../../server/describe-security-counts.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber } from "../../format.ts";
import { describeBackups } from "../store/describe-backups.ts";
import { withEventsAdministration } from "./open-store.ts";

export const eventsStatusCommand = defineCommand({
  async run(context) {
    const status = await withEventsAdministration(
      context,
      "read",
      async ({ store, configuration, settings }) => {
        const ring = readKeyRing(settings.instanceKeyFile);
        const listed = await store.transaction(({ subscriptions }) => subscriptions.list());
        return {
          store: store.database.dialect,
          ...(await readEventsStatus(store.database)),
          failingSubscriptions: listed.filter(({ lastFault }) => lastFault !== null).length,
          heldSubscriptions: listed.filter(({ warning }) => warning !== null).length,
          key: ring === null ? null : summarizeKeys(ring),
          backups: await readBackupState(configuration.dataDir, "events"),
          securityEvents: await listSqlSecurityCounts(store.database, EVENTS_REALM),
        };
      },
    );
    const { accounts, events, backups } = status;
    context.print(
      `Accounts       ${accounts === 0 ? "none: run `trellis events account create`" : formatNumber(accounts)}`,
      `Events         ${formatNumber(events.live)} live, ${formatNumber(events.deleted)} deleted`,
      `Subscriptions  ${describeSubscriptions(status.subscriptions, status.failingSubscriptions, status.heldSubscriptions)}`,
      `Apps           ${formatCount(status.grants, "connected app")}`,
      `Store          ${status.store}, ${formatBytes(status.databaseBytes)}`,
      ...(status.key === null ? [] : [`Key            ${describeKeys(status.key, Date.now())}`]),
      ...describeBackups("events", backups, Date.now()).map((line) => `Last backup    ${line}`),
      ...status.securityEvents.map((count) => `Security       ${describeSecurityCount(count)}`),
    );
    context.json(status);
  },
});

function describeSubscriptions(total: number, failing: number, held: number): string {
  const notes = [
    ...(failing === 0 ? [] : [`${formatNumber(failing)} failing`]),
    ...(held === 0 ? [] : [`${formatNumber(held)} with a warning`]),
  ];
  const hint = notes.length === 0 ? "" : " (see `trellis events subscriptions list`)";
  return [formatNumber(total), ...notes].join(", ") + hint;
}
