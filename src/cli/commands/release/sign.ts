import { describeArchived } from "../../../release/publishing/describe-archived.ts";
import { signCatalog } from "../../../release/publishing/sign-catalog.ts";
import { describeDue } from "../../../release/publishing/scheduled-releases.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { parseCount, parseIfGiven } from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "A manifest expires, so that an attacker cannot hide new releases from apps for long. Run this on a timer.",
  options: {
    "if-older-than": option(
      "DAYS",
      "Do nothing while the manifest is younger than this and up to date",
    ),
    sequence: option("N", "The next sequence number when manifest.json was lost"),
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const request = {
      ifOlderThanDays: parseIfGiven(
        "--if-older-than",
        context.options["if-older-than"],
        parseCount,
      ),
      sequence: parseIfGiven("--sequence", context.options.sequence, parseCount),
    };
    const result = await changeConfiguredCatalog(context, (catalog, askPassphrase) =>
      signCatalog(catalog, request, askPassphrase),
    );
    context.print(
      result.kind === "fresh"
        ? `Manifest ${result.sequence} is recent enough; valid until ${result.expiresAt}`
        : `Signed manifest ${result.sequence} with ${result.keyId}; valid until ${result.expiresAt}`,
      result.kind === "signed" &&
        result.added.length > 0 &&
        `It now includes ${result.added.join(", ")}`,
      ...(result.kind === "signed" ? describeDue(result.due) : []),
      result.kind === "signed" && describeArchived(result.archived),
    );
    if (result.kind === "signed") {
      const { kind: _, added, due, ...manifest } = result;
      const { published, skipped } = due;
      context.json({ isSigned: true, manifest, added, published, skipped });
    } else {
      const { kind: _, ...manifest } = result;
      context.json({ isSigned: false, manifest });
    }
  },
});
