import { defineCommand, option } from "../../command.ts";
import { LINK_DESCRIPTION, printLink } from "../store/sign-in-link.ts";
import { failWithoutAccount, withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  description: LINK_DESCRIPTION,
  options: { account: option("NAME", "The account", { required: true }) },
  examples: ["trellis events sign-in-link --account ada"],
  async run(context) {
    const { account } = context.options;
    await withEventsAdministration(context, "change", async ({ createSignInLink, settings }) => {
      const link = (await createSignInLink(account)) ?? failWithoutAccount(account);
      printLink(context, settings.baseUrl, link);
    });
  },
});
