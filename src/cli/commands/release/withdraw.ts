import { withdrawRelease } from "../../../release/publishing/withdraw-release.ts";
import { defineCommand } from "../../command.ts";
import { PASSPHRASE_OPTION, passphraseSource } from "./passphrase.ts";
import { readIfGiven, readVersion } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const withdrawCommand = defineCommand({
  summary: "Take a published release back",
  description:
    "The release is no longer offered. It stays in the history, and the signed manifest names it with the reason.",
  arguments: { version: { description: "The published release", required: true } },
  options: {
    reason: { type: "string", value: "TEXT", required: true, description: "Why; people read it" },
    "replaced-by": {
      type: "string",
      value: "VERSION",
      description: "What takes its place; needed for the newest release of a channel",
    },
    ...PASSPHRASE_OPTION,
  },
  examples: [
    'trellis release withdraw 2.1.0 --reason "Loses reminders on Android 12" --replaced-by 2.0.3',
  ],
  async run(context) {
    const { args, options } = context;
    const request = {
      version: readVersion("VERSION", args.version),
      reason: options.reason,
      replacedBy: readIfGiven("--replaced-by", options["replaced-by"], readVersion),
    };
    const bench = await openCatalogContext(context);
    const ask = passphraseSource(context, bench, options["passphrase-stdin"]);
    const withdrawn = resultOf(await withdrawRelease(bench, request, ask), context);
    const { release, latest, manifest } = withdrawn;
    context.print(`Withdrew ${release.version} from the channel "${release.channel}"`);
    context.print(`The channel now offers ${latest.version} (build ${latest.buildNumber})`);
    context.print(`Signed manifest ${manifest.sequence}; it lasts until ${manifest.expiresAt}`);
    context.print(
      `Copies that have ${release.version} already keep it until a higher build is published`,
    );
    context.json({
      release,
      latest: { version: latest.version, buildNumber: latest.buildNumber },
      manifest,
    });
  },
});
