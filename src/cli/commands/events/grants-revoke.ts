import { CommandError, defineCommand, UsageError } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import {
  failWithoutAccount,
  withEventsAdministration,
  type EventsAdministration,
} from "./open-store.ts";

export const grantsRevokeCommand = defineCommand({
  summary: "End the leave of an app, or of all apps of an account",
  description:
    "From the next request on. What the app has imported already stays on the device; nothing is removed from the store.",
  arguments: { id: { description: "The grant, as `grants list` shows it", isId: true } },
  options: {
    account: { type: "string", value: "NAME", description: "Whose, together with --all" },
    all: { type: "boolean", description: "Every app of the account" },
  },
  examples: [
    "trellis events grants revoke 3q2-7wAAAAAAAAAAAAAAAA",
    "trellis events grants revoke --account ada --all",
  ],
  async run(context) {
    const { id } = context.args;
    const { account, all } = context.options;
    const revoked = await withEventsAdministration(context, ({ administration }) => {
      if (id !== undefined && account === undefined && !all) return revokeOne(administration, id);
      if (id === undefined && account !== undefined && all) {
        return revokeAll(administration, account);
      }
      throw new UsageError("Name one grant, or give --account NAME with --all");
    });
    context.print(`${countOf(revoked, "app")} must ask for leave again`);
    context.json({ revoked });
  },
});

type Administration = EventsAdministration["administration"];

async function revokeOne(administration: Administration, id: string): Promise<number> {
  if (await administration.revokeGrant(id)) return 1;
  throw new CommandError(`There is no grant "${id}": see \`trellis events grants list\``);
}

async function revokeAll(administration: Administration, username: string): Promise<number> {
  const outcome = await administration.revokeAllGrants(username);
  return outcome.kind === "done" ? outcome.revoked : failWithoutAccount(username);
}
