import { defineCommand, type Command } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { PASSWORD_OPTION, readNewSecret } from "../../secret-input.ts";
import { NEW_KEY_OPTION, type AccountService } from "./account-service.ts";

export function defineAccountPassword({ password: change }: AccountService): Command {
  return defineCommand({
    description: `The old password is not needed: this command already requires access to the store.${change.note}`,
    options: { ...change.options, ...PASSWORD_OPTION, ...NEW_KEY_OPTION },
    async run(context) {
      const fromStdin = context.options["password-stdin"];
      const password = await readNewSecret(context, fromStdin, "password", "New password");
      const { username, signedOut } = await change.run(context, password);
      const { noun, member } = change.signedOut;
      context.print(
        `"${username}" has a new password; ${formatCount(signedOut, noun)} must sign in again`,
      );
      context.json({ username, [member]: signedOut });
    },
  });
}
