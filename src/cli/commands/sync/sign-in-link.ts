import { CommandError, defineCommand } from "../../command.ts";
import { LINK_DESCRIPTION, printLink } from "../store/sign-in-link.ts";
import { SYNC_ACCOUNT_MESSAGES } from "./accounts.ts";
import { withSyncAdministration } from "./open-store.ts";

export const command = defineCommand({
  description: LINK_DESCRIPTION,
  examples: ["trellis sync sign-in-link"],
  async run(context) {
    await withSyncAdministration(context, "change", async ({ createSignInLink, settings }) => {
      const link = await createSignInLink();
      if (link === null) throw new CommandError(SYNC_ACCOUNT_MESSAGES.missing);
      printLink(context, settings.baseUrl, link);
    });
  },
});
