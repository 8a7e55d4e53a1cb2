import type { ListedGrant } from "../../../events/administration.ts";
import type { EventsConfiguration } from "../../../server/configuration-schema.ts";
import { defineCommand } from "../../command.ts";
import { toTime } from "../../to-time.ts";
import { failWithoutAccount, withEventsAdministration } from "./open-store.ts";

export const grantsListCommand = defineCommand({
  summary: "Show which apps may read whose events",
  options: {
    account: { type: "string", value: "NAME", description: "Only those of this account" },
  },
  async run(context) {
    const { account } = context.options;
    const grants = await withEventsAdministration(context, async ({ administration, events }) => {
      const found = await administration.listGrants(account);
      if (found === null) return failWithoutAccount(account ?? "");
      return found.map((grant) => describe(grant, events.clients));
    });
    if (grants.length === 0) context.print("No app is connected");
    for (const { grantId, username, app, createdAt, lastUsedAt, expiresAt } of grants) {
      context.print(
        `${grantId}\n  ${app} reads the events of "${username}"; allowed ${createdAt}, last used ${lastUsedAt}, ends ${expiresAt} unless used`,
      );
    }
    context.json({ grants });
  },
});

function describe(grant: ListedGrant, clients: EventsConfiguration["clients"]) {
  const { grantId, username, clientId } = grant;
  return {
    grantId,
    username,
    clientId,
    // It may have been taken out of the configuration since.
    app: clients.find(({ id }) => id === clientId)?.name ?? clientId,
    createdAt: toTime(grant.createdAt),
    lastUsedAt: toTime(grant.lastUsedAt),
    expiresAt: toTime(Math.min(grant.idleExpiresAt, grant.absoluteExpiresAt)),
  };
}
