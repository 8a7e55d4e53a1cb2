import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { PASSWORD_OPTION, readNewPassword } from "../../new-password.ts";
import { expectDone } from "./account-outcome.ts";
import { withEventsAdministration } from "./open-store.ts";

export const accountPasswordCommand = defineCommand({
  summary: "Set a new password and sign every browser out",
  description:
    "Needs no old password: whoever may run this holds the store anyway. Apps stay connected; end them with `trellis events grants revoke --account NAME --all`.",
  options: {
    username: { type: "string", value: "NAME", description: "Whose", required: true },
    ...PASSWORD_OPTION,
  },
  async run(context) {
    const { username } = context.options;
    const password = await readNewPassword(context, context.options["password-stdin"]);
    const { account, endedSessions } = await withEventsAdministration(
      context,
      async ({ administration }) =>
        expectDone(await administration.changePassword(username, password), username),
    );
    context.print(
      `"${account.username}" has a new password; ${countOf(endedSessions, "browser")} must sign in again`,
    );
    context.json({ username: account.username, endedSessions });
  },
});
