import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import { previewPublication, publishRelease } from "../../../release/publishing/publish-release.ts";
import { isSilent } from "../../../release/publishing/set-notes.ts";
import { findCoverage } from "../../../rules/release/coverage/find-coverage.ts";
import { defineCommand, option, type PromptContext, type StoreContext } from "../../command.ts";
import { confirmOrFail, PLAN_OPTIONS } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { CHECK_URLS_OPTIONS, checkUrlsIfWanted } from "./check-urls.ts";
import {
  parseIfGiven,
  parsePercent,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import {
  changeConfiguredCatalog,
  expectAllowed,
  openCatalogContext,
  readDraft,
} from "./catalog-context.ts";
import { confirmLostCoverage, COVERAGE_OPTIONS, formatCoverage } from "./coverage.ts";

export const command = defineCommand({
  description:
    "Validates the draft, publishes it and signs the new manifest in one atomic step. A published release never changes again. Prints who gets it, and asks when installations that the last release was for do not.",
  arguments: { version: { description: "The draft", required: true } },
  options: {
    at: option("TIME", "The time of publication (default: now)"),
    rollout: option(
      "PERCENT",
      "The share of the installations that are offered it, 0 to 100 (default: all)",
    ),
    ...CHECK_URLS_OPTIONS,
    ...COVERAGE_OPTIONS,
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const at = parseIfGiven("--at", context.options.at, parseTimeOption);
    const rollout = parseIfGiven("--rollout", context.options.rollout, parsePercent);
    const catalogContext = await openCatalogContext(context);
    await questionSilence(context, version);
    await checkUrlsIfWanted(context, version);
    const plan = expectAllowed(await previewPublication(catalogContext, { version, at, rollout }));
    const coverage = findCoverage(plan.next, plan.release, catalogContext.feeds);
    context.print(...formatCoverage(coverage));
    if (context.options["dry-run"]) {
      const { buildNumber, channel } = plan.release;
      context.print(
        `Would publish ${version} (build ${buildNumber}) to the channel "${channel}"`,
        describeOffers(plan.offers),
        "This was a dry run: nothing was changed",
      );
      context.json({ isDryRun: true, plan: { version, buildNumber, channel, coverage } });
      return;
    }
    await confirmLostCoverage(context, coverage);
    const { release, keyId, manifest, offers } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) => publishRelease(catalog, version, at, askPassphrase, rollout),
    );
    context.print(
      `Published ${version} (build ${release.buildNumber}) to the channel "${release.channel}"`,
      describeOffers(offers),
      `Signed manifest ${manifest.sequence} with ${keyId}; valid until ${manifest.expiresAt}`,
      "Next: commit the catalogue; a running service has loaded it already",
    );
    context.json({ release, keyId, manifest, rollout: rollout ?? null, coverage });
  },
});

/** Questions a release without notes, because notes cannot be written after the publication. */
async function questionSilence(
  context: StoreContext & PromptContext,
  version: string,
): Promise<void> {
  const draft = await readDraft(context, version);
  if (draft === undefined || !isSilent(draft)) return;
  context.warn(
    `Warning: ${version} has no notes, so people do not learn what changed, and a published release never changes: \`trellis release notes ${version}\` writes them`,
  );
  // A build job cannot be asked, and a dry run publishes nothing.
  if (context.isInteractive && context.options["dry-run"] !== true) {
    await confirmOrFail(context, `This publishes ${version} without notes`);
  }
}
