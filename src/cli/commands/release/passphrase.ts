/** Where the passphrase of a signing key comes from: standard input, the configuration, a person. */
import { isCancel, password } from "@clack/prompts";
import type { PassphraseSource } from "../../../release/publishing/keys.ts";
import { CommandError, type CommandContext } from "../../command.ts";
import type { OpenedWorkbench } from "./workbench.ts";

export const PASSPHRASE_OPTION = {
  "passphrase-stdin": {
    type: "boolean",
    description: "Read the key's passphrase from the first line of standard input",
  },
} as const;

type AnyContext = Pick<CommandContext, "isInteractive" | "terminal">;

export function passphraseSource(
  context: AnyContext,
  bench: OpenedWorkbench,
  fromStdin: boolean,
): PassphraseSource {
  return async (keyId) => {
    if (fromStdin) return readFirstLine(context.terminal.stdin);
    if (bench.keyPassphrase !== undefined) return bench.keyPassphrase;
    return context.isInteractive ? ask(`Passphrase of the signing key ${keyId}`) : undefined;
  };
}

/** For a new key: undefined leaves it unencrypted. */
export async function newPassphrase(
  context: AnyContext,
  bench: OpenedWorkbench,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (fromStdin) {
    const line = await readFirstLine(context.terminal.stdin);
    if (line === "") throw new CommandError("The passphrase on standard input is empty");
    return line;
  }
  if (bench.keyPassphrase !== undefined) return bench.keyPassphrase;
  if (!context.isInteractive) return undefined;
  const first = await ask("Passphrase for the new keys (empty: none)");
  if (first === "") return undefined;
  if ((await ask("The same passphrase again")) === first) return first;
  throw new CommandError("The two passphrases differ: run the command again");
}

async function ask(message: string): Promise<string> {
  const answer = await password({ message });
  if (isCancel(answer)) throw new CommandError("Cancelled, nothing was changed");
  // An empty answer comes as undefined.
  return answer ?? "";
}

async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  let text = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}
