/** Where the passphrase of a signing key comes from: standard input, the configuration, a person. */
import type { PassphraseSource } from "../../../release/publishing/key-files.ts";
import { CommandError, type CommandContext } from "../../command.ts";
import { askNewSecret, askSecret, readFirstLine } from "../../secret-input.ts";
import type { OpenedCatalogContext } from "./workbench.ts";

export const PASSPHRASE_OPTION = {
  "passphrase-stdin": {
    type: "boolean",
    description: "Read the key's passphrase from the first line of standard input",
  },
} as const;

type AnyContext = Pick<CommandContext, "isInteractive" | "terminal">;

export function passphraseSource(
  context: AnyContext,
  bench: OpenedCatalogContext,
  fromStdin: boolean,
): PassphraseSource {
  return async (keyId) => {
    if (fromStdin) return readFirstLine(context.terminal.stdin);
    if (bench.keyPassphrase !== undefined) return bench.keyPassphrase;
    return context.isInteractive ? askSecret(`Passphrase of the signing key ${keyId}`) : undefined;
  };
}

/** For a new key: undefined leaves it unencrypted. */
export async function newPassphrase(
  context: AnyContext,
  bench: OpenedCatalogContext,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (fromStdin) {
    const line = await readFirstLine(context.terminal.stdin);
    if (line === "") throw new CommandError("The passphrase on standard input is empty");
    return line;
  }
  if (bench.keyPassphrase !== undefined) return bench.keyPassphrase;
  if (!context.isInteractive) return undefined;
  const secret = await askNewSecret(
    "Passphrase for the new keys (empty: none)",
    "The same passphrase again",
    "passphrases",
  );
  return secret === "" ? undefined : secret;
}
