import { CommandError, defineCommand, flag, option, UsageError } from "../../command.ts";
import { formatCount } from "../../format.ts";
import {
  failWithoutAccount,
  withEventsAdministration,
  type EventsAdministration,
} from "./open-store.ts";

export const command = defineCommand({
  description:
    "Takes effect with the app's next request. The app keeps what it has already imported, and nothing is removed from the store.",
  arguments: { id: { description: "The grant's id, as `grants list` shows it", isId: true } },
  options: {
    account: option("NAME", "The account, together with --all"),
    all: flag("Revoke the access of every app of the account"),
  },
  examples: [
    "trellis events grants revoke 3q2-7wAAAAAAAAAAAAAAAA",
    "trellis events grants revoke --account ada --all",
  ],
  async run(context) {
    const { id } = context.args;
    const { account, all } = context.options;
    const revoked = await withEventsAdministration(context, "change", (administration) => {
      if (id !== undefined && account === undefined && !all) return revokeOne(administration, id);
      if (id === undefined && account !== undefined && all) {
        return revokeAll(administration, account);
      }
      throw new UsageError("Name one grant, or give --account NAME with --all");
    });
    context.print(`Revoked the access of ${formatCount(revoked, "app")}`);
    context.json({ revoked });
  },
});

async function revokeOne(administration: EventsAdministration, id: string): Promise<number> {
  if (await administration.revokeGrant(id)) return 1;
  throw new CommandError(`There is no grant "${id}": see \`trellis events grants list\``);
}

async function revokeAll(administration: EventsAdministration, username: string): Promise<number> {
  const result = await administration.revokeAllGrants(username);
  return result.kind === "done" ? result.revoked : failWithoutAccount(username);
}
