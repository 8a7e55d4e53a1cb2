import { defineCommand } from "../../command.ts";
import { PASSWORD_OPTION, readNewPassword } from "../../new-password.ts";
import { toTime } from "../../to-time.ts";
import { expectDone } from "./account-outcome.ts";
import { withEventsAdministration } from "./open-store.ts";

export const accountCreateCommand = defineCommand({
  summary: "Make an account",
  description:
    "What is stored cannot be used to sign in: the password itself is nowhere. It needs at least 12 characters. The time zone decides which day a time belongs to.",
  options: {
    username: { type: "string", value: "NAME", description: "Its name", required: true },
    ...PASSWORD_OPTION,
    "time-zone": {
      type: "string",
      value: "ZONE",
      description: "Such as Europe/Berlin (default: events.timeZone of the configuration)",
    },
  },
  examples: ["trellis events account create --username ada --time-zone Europe/Berlin"],
  async run(context) {
    const { username, "time-zone": timeZone } = context.options;
    const password = await readNewPassword(context, context.options["password-stdin"]);
    const account = await withEventsAdministration(
      context,
      async ({ administration, expectAccount }) => {
        expectDone(await administration.createAccount(username, password, timeZone), username);
        return expectAccount(username);
      },
    );
    context.print(`Made the account "${account.username}" in the zone ${account.timeZone}`);
    context.json({
      username: account.username,
      timeZone: account.timeZone,
      createdAt: toTime(account.createdAt),
    });
  },
});
