import { removeAccount } from "../../../events/maintenance/remove-account.ts";
import type { Database } from "../../../database/database.ts";
import { defineCommand, option } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";
import { withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  description:
    "Deletes the account with its events, subscriptions and settings, signs out its browsers and revokes its apps. It cannot be undone: `trellis events backup` first. Apps keep what they have already imported, and earlier backups still have the account.",
  options: {
    username: option("NAME", "The account", { required: true }),
    ...YES_OPTION,
  },
  examples: ["trellis events account remove --username ada"],
  async run(context) {
    await withEventsAdministration(context, "change", async ({ store, expectAccount }) => {
      const account = await expectAccount(context.options.username);
      const { username } = account;
      const counts = await countContents(store.database, account.accountId);
      const { events, subscriptions, grants } = counts;
      await confirmOrFail(
        context,
        `This removes the account "${username}" with ${formatCount(events, "event")}, ${formatCount(subscriptions, "subscription")} and the access of ${formatCount(grants, "app")}`,
      );
      await removeAccount(store, account);
      context.print(`Removed the account "${username}" and everything that belonged to it`);
      context.json({ username, ...counts });
    });
  },
});

async function countContents(database: Database, accountId: string) {
  const [row] = await database.query<{ events: number; subscriptions: number; grants: number }>(
    `SELECT
       (SELECT count(*) FROM events_entries
        WHERE account_id = $1 AND deleted_at IS NULL) AS events,
       (SELECT count(*) FROM events_subscriptions WHERE account_id = $1) AS subscriptions,
       (SELECT count(*) FROM events_grants WHERE account_id = $1) AS grants`,
    [accountId],
  );
  return row ?? { events: 0, subscriptions: 0, grants: 0 };
}
