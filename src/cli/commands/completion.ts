import { renderBashCompletion } from "../completion/bash.ts";
import { describeCommands, type CompletionNode } from "../completion/describe-commands.ts";
import { renderFishCompletion } from "../completion/fish.ts";
import { renderZshCompletion } from "../completion/zsh.ts";
import { defineCommand } from "../command.ts";
import { parseChoice } from "./release/parse-options.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const RENDERERS: Readonly<
  Record<(typeof SHELLS)[number], (nodes: readonly CompletionNode[]) => string>
> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
};

export const command = defineCommand({
  description:
    "The script completes commands, options and file names. It knows the commands of this version, so install it again after an update.",
  arguments: { shell: { description: SHELLS.join(", "), required: true } },
  examples: [
    "trellis completion bash > ~/.local/share/bash-completion/completions/trellis",
    'trellis completion zsh > "${fpath[1]}/_trellis"',
    "trellis completion fish > ~/.config/fish/completions/trellis.fish",
  ],
  async run(context) {
    const shell = parseChoice("SHELL", context.args.shell, SHELLS);
    const script = RENDERERS[shell](await describeCommands(context.root));
    context.print(...script.split("\n"));
    context.json({ shell, script });
  },
});
