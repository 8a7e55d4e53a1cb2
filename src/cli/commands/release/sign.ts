import { signCatalog } from "../../../release/publishing/sign-catalog.ts";
import { defineCommand } from "../../command.ts";
import { PASSPHRASE_OPTION, passphraseSource } from "./passphrase.ts";
import { readCount, readIfGiven } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const signCommand = defineCommand({
  summary: "Sign anew what is published",
  description:
    "A manifest expires, so that nobody can hide new releases from apps for long. Run this on a timer.",
  options: {
    "if-older-than": {
      type: "string",
      value: "DAYS",
      description: "Do nothing while the manifest is younger and up to date",
    },
    sequence: {
      type: "string",
      value: "N",
      description: "Where the sequence goes on when manifest.json was lost",
    },
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const request = {
      ifOlderThanDays: readIfGiven("--if-older-than", context.options["if-older-than"], readCount),
      sequence: readIfGiven("--sequence", context.options.sequence, readCount),
    };
    const bench = await openCatalogContext(context);
    const ask = passphraseSource(context, bench, context.options["passphrase-stdin"]);
    const result = resultOf(await signCatalog(bench, request, ask), context);
    context.print(
      result.kind === "fresh"
        ? `Manifest ${result.sequence} is fresh enough; it lasts until ${result.expiresAt}`
        : `Signed manifest ${result.sequence} with ${result.keyId}; it lasts until ${result.expiresAt}`,
    );
    const { kind, ...manifest } = result;
    context.json({ isSigned: kind === "signed", manifest });
  },
});
