import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import { withdrawRelease } from "../../../release/publishing/withdraw-release.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { parseIfGiven, parseVersionOption } from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const withdrawCommand = defineCommand({
  description:
    "The release is no longer offered to clients. It stays in the history, and the signed manifest lists it with the reason.",
  arguments: { version: { description: "The published release", required: true } },
  options: {
    reason: option("TEXT", "The reason, shown to people", { required: true }),
    "replaced-by": option(
      "VERSION",
      "The replacement; required for the newest release of a channel that has others",
    ),
    ...PASSPHRASE_OPTION,
  },
  examples: [
    'trellis release withdraw 2.1.0 --reason "Loses reminders on Android 12" --replaced-by 2.0.3',
  ],
  async run(context) {
    const { args, options } = context;
    const request = {
      version: parseVersionOption("VERSION", args.version),
      reason: options.reason,
      replacedBy: parseIfGiven("--replaced-by", options["replaced-by"], parseVersionOption),
    };
    const { release, latest, offers, manifest } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) => withdrawRelease(catalog, request, askPassphrase),
    );
    context.print(
      `Withdrew ${release.version} from the channel "${release.channel}"`,
      latest === null
        ? "The channel offers nothing now: clients are told that it has no release"
        : `The channel now offers ${latest.version} (build ${latest.buildNumber})`,
      ...(offers.staged === null ? [] : [describeOffers(offers)]),
      `Signed manifest ${manifest.sequence}; valid until ${manifest.expiresAt}`,
      `Installed copies of ${release.version} keep it until a higher build is published`,
    );
    context.json({
      release,
      latest: latest && { version: latest.version, buildNumber: latest.buildNumber },
      manifest,
    });
  },
});
