import { defineCommand, option, CommandError, flag, UsageError } from "../../command.ts";
import { formatTime, formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import {
  failWithoutAccount,
  withEventsAdministration,
  type EventsAdministration,
} from "./open-store.ts";

export const listGrantsCommand = defineCommand({
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

export const revokeGrantsCommand = defineCommand({
  description:
    "Takes effect with the app's next request. The app keeps what it has already imported, and nothing is removed from the store.",
  arguments: { id: { description: "The grant's id, as `grants list` shows it", isId: true } },
  options: {
    account: option("NAME", "The account, together with --all"),
    all: flag("Revoke the access of every app of the account"),
    ...PLAN_OPTIONS,
  },
  examples: [
    "trellis events grants revoke 3q2-7wAAAAAAAAAAAAAAAA",
    "trellis events grants revoke --account ada --all --yes",
  ],
  async run(context) {
    const { id } = context.args;
    const { account, all } = context.options;
    const isOne = id !== undefined && account === undefined && !all;
    if (!isOne && (id !== undefined || account === undefined || !all)) {
      throw new UsageError("Name one grant, or give --account NAME with --all");
    }
    const revoked = await withEventsAdministration(context, "change", async (administration) => {
      const listed =
        (await administration.listGrants(account)) ?? failWithoutAccount(account ?? "");
      const grants = listed.filter(({ grantId }) => !isOne || grantId === id);
      if (isOne && grants.length === 0) throw noGrantError(id);
      await confirmPlan(context, {
        consequence: `This revokes the access of ${formatCount(grants.length, "app")} to the events: people must grant it again`,
        details: ["An app keeps what it has already imported"],
        plan: {
          grants: grants.map(({ grantId, username, clientId }) => ({
            grantId,
            username,
            clientId,
          })),
        },
      });
      if (isOne) return Number(await administration.revokeGrant(id));
      return revokeAll(administration, account ?? "");
    });
    context.print(`Revoked the access of ${formatCount(revoked, "app")}`);
    context.json({ revoked });
  },
});

function noGrantError(id: string): CommandError {
  return new CommandError(`There is no grant "${id}": see \`trellis events grants list\``);
}

async function revokeAll(administration: EventsAdministration, username: string): Promise<number> {
  return (await administration.revokeAllGrants(username)) ?? failWithoutAccount(username);
}
