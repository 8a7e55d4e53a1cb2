import { defineCommand } from "../../command.ts";
import { expectDone } from "./account-outcome.ts";
import { countOf } from "../../count-of.ts";
import { PASSWORD_OPTION, readNewPassword } from "../../new-password.ts";
import { withAdministration } from "./open-store.ts";

export const accountPasswordCommand = defineCommand({
  summary: "Set a new password and sign every device out",
  description: "Needs no old password: whoever may run this holds the store anyway.",
  options: PASSWORD_OPTION,
  async run(context) {
    const password = await readNewPassword(context, context.options["password-stdin"]);
    const { account, revokedDevices } = await withAdministration(context, async (administration) =>
      expectDone(await administration.changePassword(password)),
    );
    context.print(
      `"${account.username}" has a new password; ${countOf(revokedDevices, "device")} must sign in again`,
    );
    context.json({ username: account.username, revokedDevices });
  },
});
