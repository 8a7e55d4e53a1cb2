import { publishRelease } from "../../../release/publishing/publish-release.ts";
import { defineCommand } from "../../command.ts";
import { PASSPHRASE_OPTION, passphraseSource } from "./passphrase.ts";
import { readIfGiven, readTime, readVersion } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const publishCommand = defineCommand({
  summary: "Publish a draft and sign the manifest",
  description:
    "One atomic step: the draft is checked, becomes published, and the new manifest is signed; or nothing changes. A published release never changes again.",
  arguments: { version: { description: "The draft", required: true } },
  options: {
    at: { type: "string", value: "TIME", description: "The time of publication (default: now)" },
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const version = readVersion("VERSION", context.args.version);
    const at = readIfGiven("--at", context.options.at, readTime);
    const bench = await openCatalogContext(context);
    const ask = passphraseSource(context, bench, context.options["passphrase-stdin"]);
    const published = resultOf(await publishRelease(bench, version, at, ask), context);
    const { release, keyId, manifest } = published;
    context.print(
      `Published ${version} (build ${release.buildNumber}) to the channel "${release.channel}"`,
    );
    context.print(
      `Signed manifest ${manifest.sequence} with ${keyId}; it lasts until ${manifest.expiresAt}`,
    );
    context.print("Next: commit the catalogue; a running service has it already");
    context.json({ release, keyId, manifest });
  },
});
