import { defineCommand, option } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { failWithoutAccount, withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  options: {
    account: option("NAME", "Only the apps of this account"),
  },
  async run(context) {
    const { account } = context.options;
    const grants = await withEventsAdministration(
      context,
      "read",
      async ({ listGrants, settings }) => {
        const found = await listGrants(account);
        if (found === null) return failWithoutAccount(account ?? "");
        return found.map((grant) => ({
          grantId: grant.grantId,
          username: grant.username,
          clientId: grant.clientId,
          // The client may have been removed from the configuration since.
          app: settings.clients.find(({ id }) => id === grant.clientId)?.name ?? grant.clientId,
          createdAt: formatTime(grant.createdAt),
          lastUsedAt: formatTime(grant.lastUsedAt),
          expiresAt: formatTime(Math.min(grant.idleExpiresAt, grant.absoluteExpiresAt)),
        }));
      },
    );
    if (grants.length === 0) context.print("No app is connected");
    for (const { grantId, username, app, createdAt, lastUsedAt, expiresAt } of grants) {
      context.print(
        grantId,
        `  ${app} reads the events of "${username}"; granted ${createdAt}, last used ${lastUsedAt}, expires ${expiresAt} unless used`,
      );
    }
    context.json({ grants });
  },
});
