import { parseDateTime } from "../../../contract/date-time.ts";
import {
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
} from "../../../contract/release/values.ts";
import { explainDecision } from "../../../release/publishing/explain-decision.ts";
import { defineCommand, option } from "../../command.ts";
import {
  parseChoice,
  parseCount,
  parseIfGiven,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import { openCatalogContext, toCommandError } from "./catalog-context.ts";

export const decideCommand = defineCommand({
  options: {
    platform: option("PLATFORM", DISTRIBUTION_PLATFORMS.join(", "), { required: true }),
    version: option("VERSION", "The installed version", { required: true }),
    build: option("N", "The installed build", { required: true }),
    channel: option("CHANNEL", "stable (default) or beta"),
    at: option("TIME", "The time of the request (default: now)"),
  },
  examples: ["trellis release decide --platform android --version 2.0.3 --build 41"],
  async run(context) {
    const { options } = context;
    const catalog = await openCatalogContext(context);
    const result = await explainDecision(catalog, {
      platform: parseChoice("--platform", options.platform, DISTRIBUTION_PLATFORMS),
      current: {
        version: parseVersionOption("--version", options.version),
        buildNumber: parseCount("--build", options.build),
      },
      channel: parseChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
      at: parseDateTime(parseIfGiven("--at", options.at, parseTimeOption) ?? "") ?? catalog.now(),
    });
    if (result.kind === "refused") throw toCommandError(result);
    const { decision, rules, reasons } = result;
    const { version, buildNumber } = decision.target;
    context.print(
      decision.updateAvailable
        ? `${decision.mandatory ? "Mandatory update" : "Update"} to ${version} (build ${buildNumber})`
        : `No update: ${version} (build ${buildNumber}) is the latest`,
      ...reasons.map((reason) => `  ${reason}`),
    );
    context.json({ decision, rules, reasons });
  },
});
