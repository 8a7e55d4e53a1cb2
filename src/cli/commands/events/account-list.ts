import { defineCommand } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  async run(context) {
    const listed = await withEventsAdministration(context, "read", ({ listAccounts }) =>
      listAccounts(),
    );
    const accounts = listed.map(({ username, timeZone, language, createdAt }) => ({
      username,
      timeZone,
      language,
      createdAt: formatTime(createdAt),
    }));
    if (accounts.length === 0) {
      context.print("There is no account: run `trellis events account create --username NAME`");
    }
    for (const { username, timeZone, createdAt } of accounts) {
      context.print(username, `  time zone ${timeZone}, created ${createdAt}`);
    }
    context.json({ accounts });
  },
});
