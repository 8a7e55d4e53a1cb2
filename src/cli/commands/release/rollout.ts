import { parseDateTime } from "../../../contract/date-time.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { EVERYBODY_PERCENT } from "../../../contract/release/values.ts";
import { describeOffers } from "../../../release/publishing/describe-offers.ts";
import {
  previewRollout,
  setRollout,
  type RolloutPlan,
} from "../../../release/publishing/set-rollout.ts";
import { defineCommand, option, type Line } from "../../command.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { changeConfiguredCatalog, expectAllowed, openCatalogContext } from "./catalog-context.ts";
import { ELECTRON_DOWNGRADE } from "./withdraw.ts";
import { parsePercent, parseVersionOption } from "./parse-options.ts";

export const command = defineCommand({
  description:
    "For the newest release of a channel. The share is signed into the manifest, and the update client applies it: all other installations are offered the newest release without a rollout. A rollout can only rise, or stop at 0. Downloads and the API do not change: they give a published release to everyone who asks for it.",
  arguments: { version: { description: "The published release", required: true } },
  options: {
    percent: option("N", "The share of the installations, 0 to 100", { required: true }),
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  examples: [
    "trellis release rollout 2.1.0 --percent 25",
    "trellis release rollout 2.1.0 --percent 0 --dry-run",
  ],
  async run(context) {
    const rollout = {
      version: parseVersionOption("VERSION", context.args.version),
      percent: parsePercent("--percent", context.options.percent),
    };
    const planned = expectAllowed(await previewRollout(await openCatalogContext(context), rollout));
    // What rises does not fall again, and installations keep what they have. A stop is not questioned.
    if (rollout.percent > (planned.before ?? EVERYBODY_PERCENT) || context.options["dry-run"]) {
      const [consequence, ...details] = describe(planned, "This sets");
      await confirmPlan(context, { consequence, details, plan: toJson(planned) });
    }
    const { plan, keyId, manifest } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) => setRollout(catalog, rollout, askPassphrase),
    );
    context.print(
      ...describe(plan, "Set"),
      `Signed manifest ${manifest.sequence} with ${keyId}; valid until ${manifest.expiresAt}`,
      "Next: commit the catalogue; a running service has loaded it already",
    );
    context.json({ ...toJson(plan), manifest });
  },
});

function describe(plan: RolloutPlan, verb: string): [string, ...Line[]] {
  const { release, before, percent, offers } = plan;
  const { version, buildNumber } = release;
  const was = before === null ? "it was offered to everyone" : `it was ${before}`;
  const mayHaveIt = before !== 0 && percent < (before ?? 100);
  return [
    `${verb} the rollout of ${version} (build ${buildNumber}) to ${percent} percent; ${was}`,
    describeOffers(offers),
    mayHaveIt && `Installations that have ${version} keep it`,
    mayHaveIt && percent === 0 && ELECTRON_DOWNGRADE,
    describePhases(plan, Date.now()),
    offers.staged !== null &&
      `Downloads and the API still give ${version} to everyone who asks for it`,
  ];
}

/** Sparkle adds a group of installations for each day. */

function describePhases({ release, percent }: RolloutPlan, now: number): Line {
  const publishedAt = parseDateTime(release.publishedAt) ?? now;
  if (percent === 0 || percent === EVERYBODY_PERCENT || now - publishedAt < DAY_MS) return false;
  return `Sparkle's groups count from the publication on ${release.publishedAt}, not from now: its feed offers ${release.version} to one seventh more each day since, and to all after a week`;
}

function toJson({ release, before, percent, offers }: RolloutPlan) {
  return {
    version: release.version,
    buildNumber: release.buildNumber,
    channel: release.channel,
    percent,
    before,
    everybody: offers.everybody?.version ?? null,
  };
}
