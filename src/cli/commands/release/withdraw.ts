import { describeArchived } from "../../../release/publishing/describe-archived.ts";
import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import {
  planWithdrawal,
  withdrawRelease,
  type PlannedWithdrawal,
} from "../../../release/publishing/withdraw-release.ts";
import { defineCommand, option } from "../../command.ts";
import { confirmPlan, PLAN_OPTIONS, type Plan } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { parseIfGiven, parseVersionOption } from "./parse-options.ts";
import { changeConfiguredCatalog, expectAllowed, openCatalogContext } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "The release is no longer offered to clients. It stays in the history, and the signed manifest lists it with the reason.",
  arguments: { version: { description: "The published release", required: true } },
  options: {
    reason: option("TEXT", "The reason, which users see", { required: true }),
    "replaced-by": option(
      "VERSION",
      "The replacement; required for the newest release of a channel that has others",
    ),
    ...PLAN_OPTIONS,
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
    const planned = expectAllowed(await planWithdrawal(await openCatalogContext(context), request));
    await confirmPlan(context, describePlan(planned));
    const { release, latest, offers, manifest } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) => withdrawRelease(catalog, request, askPassphrase),
    );
    context.print(
      `Withdrew ${release.version} from the channel "${release.channel}"`,
      latest === null
        ? "The channel offers nothing now: clients are told that it has no release"
        : `The channel now offers ${latest.version} (build ${latest.buildNumber})`,
      offers.staged !== null && describeOffers(offers),
      `Signed manifest ${manifest.sequence}; valid until ${manifest.expiresAt}`,
      describeArchived(manifest.archived),
      `Installed copies of ${release.version} keep it until a higher build is published`,
      ELECTRON_DOWNGRADE,
    );
    context.json({ release, latest: toCoordinate(latest), manifest });
  },
});

function describePlan({ release, latest, offers, manifest }: PlannedWithdrawal): Plan {
  const { version, buildNumber, channel, withdrawal } = release;
  const offered =
    latest === null
      ? "then offers nothing"
      : `then offers ${latest.version} (build ${latest.buildNumber})`;
  const { reason, replacedBy } = withdrawal;
  return {
    consequence: `This withdraws ${version} (build ${buildNumber}) from the channel "${channel}", which ${offered}, and signs manifest ${manifest.sequence} with ${manifest.keyId}`,
    details: [
      `Users see the reason: ${reason}`,
      replacedBy !== undefined && `Its replacement is ${replacedBy}`,
      offers.staged !== null && describeOffers(offers),
      `Installed copies of ${version} keep it until a higher build is published`,
      ELECTRON_DOWNGRADE,
      "A withdrawn release does not return, nor does its build number",
    ],
    plan: { version, buildNumber, channel, withdrawal, latest: toCoordinate(latest), manifest },
  };
}

function toCoordinate(release: PlannedWithdrawal["latest"]) {
  return release && { version: release.version, buildNumber: release.buildNumber };
}

/** When a feed loses its newest release, electron-updater may take the one before for an update. */
export const ELECTRON_DOWNGRADE =
  "Except apps with electron-updater that set a channel: they go back to the release that is offered now, unless they set autoUpdater.allowDowngrade = false after it";
