import {
  changeCatalog,
  findRelease,
  readForChange,
  type CatalogState,
} from "../../../release/publishing/change-catalog.ts";
import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import {
  planPublication,
  type PublicationPlan,
} from "../../../release/publishing/plan-publication.ts";
import { publishRelease } from "../../../release/publishing/publish-release.ts";
import { describeDue, scheduleRelease } from "../../../release/publishing/scheduled-releases.ts";
import { describeArchived } from "../../../release/publishing/describe-archived.ts";
import { isSilent } from "../../../release/publishing/set-notes.ts";
import { findCoverage, type Coverage } from "../../../rules/release/coverage/find-coverage.ts";
import { CommandError, defineCommand, option, type CommandContext } from "../../command.ts";
import { confirmPlan, PLAN_OPTIONS, type PlanContext } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { CHECK_URLS_OPTIONS, checkUrlsIfWanted } from "./check-urls.ts";
import {
  parseIfGiven,
  parsePercent,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import {
  expectAllowed,
  expectChanged,
  openCatalogContext,
  passphraseSource,
} from "./catalog-context.ts";
import { OWN_FILES_OPTIONS } from "./own-files.ts";
import { COVERAGE_OPTIONS, describeLost, formatCoverage } from "./coverage.ts";

export const command = defineCommand({
  description:
    "Validates the draft, publishes it and signs the new manifest in one atomic step. A published release never changes again. Prints which installations get it, and asks for confirmation if some that got the last release do not.",
  arguments: { version: { description: "The draft", required: true } },
  options: {
    at: option("TIME", "The time of publication (default: now); a later one schedules the release"),
    rollout: option(
      "PERCENT",
      "The share of the installations that are offered the release, 0 to 100 (default: all)",
    ),
    ...CHECK_URLS_OPTIONS,
    ...COVERAGE_OPTIONS,
    ...OWN_FILES_OPTIONS,
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const at = parseIfGiven("--at", context.options.at, parseTimeOption);
    const rollout = parseIfGiven("--rollout", context.options.rollout, parsePercent);
    const catalogContext = await openCatalogContext(context);
    const state = await readForChange(catalogContext);
    const isWithoutNotes = state.kind === "loaded" && warnOfSilence(context, state, version);
    await checkUrlsIfWanted(context, version);
    const allowsMismatch = context.options["allow-version-mismatch"];
    const publication = { version, at, rollout, allowsMismatch };
    const preview = state.kind === "refused" ? state : planPublication(state, publication);
    if (preview.kind === "refused" && !context.options["dry-run"]) {
      // Even a change that is refused finishes one that was interrupted.
      expectChanged(await changeCatalog(catalogContext, () => preview), context);
    }
    const plan = expectAllowed(preview);
    const { isScheduled } = plan;
    for (const warning of plan.warnings) context.warn(`Warning: ${warning}`);
    const coverage = findCoverage(plan.next, plan.release, catalogContext.feeds);
    await confirmPublication(context, plan, coverage, isWithoutNotes);
    if (isScheduled) {
      const { release } = expectChanged(
        await scheduleRelease(catalogContext, publication),
        context,
      );
      context.print(
        `Scheduled ${version} (build ${release.buildNumber}) for ${release.publishedAt}`,
        "Until then it is a draft; the first `trellis release sign` or `publish` after that publishes it",
      );
      return context.json({ scheduled: release.publishedAt, release, coverage });
    }
    const askPassphrase = passphraseSource(context, catalogContext);
    const { release, keyId, manifest, offers, due } = expectChanged(
      await publishRelease(catalogContext, version, at, askPassphrase, rollout, allowsMismatch),
      context,
    );
    context.print(
      `Published ${version} (build ${release.buildNumber}) to the channel "${release.channel}"`,
      describeOffers(offers),
      `Signed manifest ${manifest.sequence} with ${keyId}; valid until ${manifest.expiresAt}`,
      ...describeDue(due),
      describeArchived(manifest.archived),
      "Next: commit the catalogue; a running service has loaded it already",
    );
    context.json({ release, keyId, manifest, rollout: rollout ?? null, coverage });
  },
});

/** Whether the release has no notes; they cannot be written after the publication. */
function warnOfSilence(
  context: Pick<CommandContext, "warn">,
  { catalog }: CatalogState,
  version: string,
): boolean {
  const draft = findRelease(catalog, version);
  if (draft?.status !== "draft" || !isSilent(draft)) return false;
  context.warn(
    `Warning: ${version} has no notes, so people do not learn what changed, and a published release never changes: \`trellis release notes ${version}\` writes them`,
  );
  return true;
}

/** Says who gets the release. Asks only when something is doubtful, because a build job has no terminal. */
async function confirmPublication(
  context: PlanContext,
  { release, offers }: PublicationPlan,
  coverage: Coverage,
  isWithoutNotes: boolean,
): Promise<void> {
  const { version, buildNumber, channel } = release;
  const isAsked = context.isInteractive && context.options["yes"] !== true;
  const lost = context.options["allow-lost-coverage"] === true ? null : describeLost(coverage);
  const table = formatCoverage(coverage);
  if (context.options["dry-run"] === true || (isAsked && (isWithoutNotes || lost !== null))) {
    const publishes = `This publishes ${version} (build ${buildNumber}) to the channel "${channel}"`;
    const consequence = `${publishes}${isWithoutNotes ? " without notes" : ""}${lost === null ? "" : `; ${lost}`}`;
    const details = [...table, describeOffers(offers)];
    const plan = { version, buildNumber, channel, coverage };
    return confirmPlan(context, { consequence, details, plan });
  }
  context.print(...table);
  if (lost === null) return;
  throw new CommandError(
    `${lost}: nothing was published; add what they need, or --allow-lost-coverage`,
    { lost: coverage.rows.filter(({ isLost }) => isLost) },
  );
}
