import type { RenameResult } from "../../../identity/rename-account.ts";
import { CommandError, defineCommand, option, type Command } from "../../command.ts";
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";
import { invalidUsername, type RenameService } from "./account-service.ts";

export function defineAccountRename(service: RenameService): Command {
  return defineCommand({
    description: `The password stays the same. ${service.note} The next sign-in needs the new name.`,
    options: {
      ...service.options,
      to: option("NAME", "The new username", { required: true }),
      ...YES_OPTION,
    },
    examples: [service.example],
    async run(context) {
      const { to, yes } = context.options;
      const before = await service.findName(context);
      await confirmOrFail(context, yes, `This renames the account "${before}" to "${to}"`);
      const result = await service.rename(context, before, to);
      if (result.kind !== "done") throw toCommandError(result, before, to);
      context.print(`"${result.before}" is now "${result.username}"`);
      context.json({ before: result.before, username: result.username });
    },
  });
}

function toCommandError(
  { kind }: Exclude<RenameResult, { readonly kind: "done" }>,
  before: string,
  to: string,
): CommandError {
  switch (kind) {
    case "invalid-username":
      return invalidUsername();
    case "account-exists":
      return new CommandError(`There is already an account "${to}": choose another name`);
    case "no-account":
      return new CommandError(`There is no account "${before}" any more: nothing was changed`);
    case "locked":
      return new CommandError(
        `The password of "${before}" is encrypted with another instance key: set a new one with \`account password\` first`,
      );
  }
}
