import { defineCommand } from "../../command.ts";
import { expectDone } from "./account-outcome.ts";
import { PASSWORD_OPTION, readNewPassword } from "../../new-password.ts";
import { withAdministration } from "./open-store.ts";
import { toTime } from "../../to-time.ts";

export const accountCreateCommand = defineCommand({
  summary: "Make the one account of this instance",
  description:
    "What is stored cannot be used to sign in: the password itself is nowhere. It needs at least 12 characters.",
  options: {
    username: { type: "string", value: "NAME", description: "Its name", required: true },
    ...PASSWORD_OPTION,
  },
  examples: ["trellis sync account create --username ada"],
  async run(context) {
    const password = await readNewPassword(context, context.options["password-stdin"]);
    const { account } = await withAdministration(context, async (administration) =>
      expectDone(await administration.createAccount(context.options.username, password)),
    );
    context.print(`Made the account "${account.username}"; now sign in from an app`);
    context.json({ username: account.username, createdAt: toTime(account.createdAt) });
  },
});
