import { defineCommand } from "../../command.ts";
import { toTime } from "../../to-time.ts";
import { withEventsAdministration } from "./open-store.ts";

export const accountListCommand = defineCommand({
  summary: "Show the accounts",
  async run(context) {
    const listed = await withEventsAdministration(context, ({ administration }) =>
      administration.listAccounts(),
    );
    const accounts = listed.map(({ username, timeZone, language, createdAt }) => ({
      username,
      timeZone,
      language,
      createdAt: toTime(createdAt),
    }));
    if (accounts.length === 0) {
      context.print("There is no account: run `trellis events account create --username NAME`");
    }
    for (const { username, timeZone, createdAt } of accounts) {
      context.print(`${username}\n  zone ${timeZone}, made ${createdAt}`);
    }
    context.json({ accounts });
  },
});
