import { defineCommand, UsageError } from "../command.ts";
import { renderCommandHelp, renderGroupHelp } from "../help.ts";
import { findCommand, isGroup } from "../parse-command-line.ts";

export const command = defineCommand({
  description: "The same as adding --help to the command.",
  arguments: { command: { description: "The words of a command", multiple: true } },
  examples: ["trellis help release publish"],
  async run(context) {
    const { path, target, rest } = findCommand(context.root, context.args.command);
    if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}"`);
    const help = isGroup(target)
      ? renderGroupHelp(path, target)
      : renderCommandHelp(path, target.summary, await target.load());
    context.print(...help.split("\n"));
    context.json({ help });
  },
});
