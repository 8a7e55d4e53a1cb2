import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import { publishRelease } from "../../../release/publishing/publish-release.ts";
import { isSilent } from "../../../release/publishing/set-notes.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { CHECK_URLS_OPTIONS, checkUrlsIfWanted } from "./check-urls.ts";
import {
  parseIfGiven,
  parsePercent,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const publishCommand = defineCommand({
  description:
    "Validates the draft, publishes it and signs the new manifest in one atomic step. A published release never changes again.",
  arguments: { version: { description: "The draft", required: true } },
  options: {
    at: option("TIME", "The time of publication (default: now)"),
    rollout: option(
      "PERCENT",
      "The share of the installations that are offered it, 0 to 100 (default: all)",
    ),
    ...CHECK_URLS_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const at = parseIfGiven("--at", context.options.at, parseTimeOption);
    const rollout = parseIfGiven("--rollout", context.options.rollout, parsePercent);
    await checkUrlsIfWanted(context, version);
    const { release, keyId, manifest, offers } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) => publishRelease(catalog, version, at, askPassphrase, rollout),
    );
    if (isSilent(release)) {
      context.warn(
        `Warning: ${version} was published without notes, so people do not learn what changed; a published release never changes, so write those of the next one with \`trellis release notes\``,
      );
    }
    context.print(
      `Published ${version} (build ${release.buildNumber}) to the channel "${release.channel}"`,
      describeOffers(offers),
      `Signed manifest ${manifest.sequence} with ${keyId}; valid until ${manifest.expiresAt}`,
      "Next: commit the catalogue; a running service has loaded it already",
    );
    context.json({ release, keyId, manifest, rollout: rollout ?? null });
  },
});
