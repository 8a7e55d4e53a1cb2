import { readEventsStatus } from "../../../events/maintenance/read-status.ts";
import { defineCommand } from "../../command.ts";
import { formatBytes, formatCount, formatNumber } from "../../format.ts";
import { describeStoreStatus, readStoreStatus } from "../store/store-status.ts";
import { withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  async run(context) {
    const status = await withEventsAdministration(
      context,
      "read",
      async ({ store, configuration, settings }) => {
        const { dataDir } = configuration;
        const listed = await store.transaction(({ subscriptions }) => subscriptions.list());
        return {
          store: store.database.dialect,
          ...(await readEventsStatus(store.database)),
          failingSubscriptions: listed.filter(({ lastError }) => lastError !== null).length,
          heldSubscriptions: listed.filter(({ warning }) => warning !== null).length,
          ...(await readStoreStatus("events", store.database, dataDir, settings)),
        };
      },
    );
    const { accounts, events } = status;
    context.print(
      `Accounts       ${accounts === 0 ? "none: run `trellis events account create`, or `trellis events account invite`" : formatNumber(accounts)}`,
      `Events         ${formatNumber(events.live)} live, ${formatNumber(events.deleted)} deleted`,
      `Subscriptions  ${describeSubscriptions(status.subscriptions, status.failingSubscriptions, status.heldSubscriptions)}`,
      `Apps           ${formatCount(status.grants, "connected app")}`,
      `Store          ${status.store}, ${formatBytes(status.databaseBytes)}`,
      ...describeStoreStatus("events", status, LABEL_WIDTH),
    );
    context.json(status);
  },
});

const LABEL_WIDTH = 15;

function describeSubscriptions(total: number, failing: number, held: number): string {
  const notes = [
    ...(failing === 0 ? [] : [`${formatNumber(failing)} failing`]),
    ...(held === 0 ? [] : [`${formatNumber(held)} with a warning`]),
  ];
  const hint = notes.length === 0 ? "" : " (see `trellis events subscriptions list`)";
  return [formatNumber(total), ...notes].join(", ") + hint;
}
