import { parseDateTime } from "../../../contract/date-time.ts";
import {
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
} from "../../../contract/release/values.ts";
import { explainDecision } from "../../../release/publishing/explain-decision.ts";
import { defineCommand } from "../../command.ts";
import { readChoice, readCount, readIfGiven, readTime, readVersion } from "./read-options.ts";
import { failure, openCatalogContext } from "./workbench.ts";

export const decideCommand = defineCommand({
  summary: "Show the update decision a client gets, and why",
  options: {
    platform: {
      type: "string",
      value: "PLATFORM",
      required: true,
      description: DISTRIBUTION_PLATFORMS.join(", "),
    },
    version: {
      type: "string",
      value: "VERSION",
      required: true,
      description: "The version the client has",
    },
    build: { type: "string", value: "N", required: true, description: "The build the client has" },
    channel: { type: "string", value: "CHANNEL", description: "stable (default) or beta" },
    at: { type: "string", value: "TIME", description: "When the client asks (default: now)" },
  },
  examples: ["trellis release decide --platform android --version 2.0.3 --build 41"],
  async run(context) {
    const { options } = context;
    const bench = await openCatalogContext(context);
    const outcome = await explainDecision(bench, {
      platform: readChoice("--platform", options.platform, DISTRIBUTION_PLATFORMS),
      current: {
        version: readVersion("--version", options.version),
        buildNumber: readCount("--build", options.build),
      },
      channel: readChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
      at: parseDateTime(readIfGiven("--at", options.at, readTime) ?? "") ?? bench.now(),
    });
    if (outcome.kind === "refused") throw failure(outcome);
    const { decision, rules, reasons } = outcome;
    const { version, buildNumber } = decision.target;
    context.print(
      decision.updateAvailable
        ? `${decision.mandatory ? "Mandatory update" : "Update"} to ${version} (build ${buildNumber})`
        : `No update: ${version} (build ${buildNumber}) is the latest`,
    );
    for (const reason of reasons) context.print(`  ${reason}`);
    context.json({ decision, rules, reasons });
  },
});
