import { parseDateTime } from "../../../contract/date-time.ts";
import {
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
} from "../../../contract/release/values.ts";
import { PACKAGE_KINDS } from "../../../rules/release/package-kinds.ts";
import type { UpdateFacts, UpdateStatus } from "../../../rules/release/evaluate-update.ts";
import {
  explainClient,
  explainDecision,
  type ClientFacts,
  type DecisionRequest,
} from "../../../release/publishing/explain-update.ts";
import { defineCommand, option, UsageError, type CommandContext } from "../../command.ts";
import {
  parseBucket,
  parseChoice,
  parseCount,
  parseIfGiven,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import { expectAllowed, openCatalogContext, type OpenedCatalogContext } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "Shows the decision of the service, which is the same for every installation. With --bucket, shows what the update client of an installation in that bucket, 1 to 100, would do: it also applies a staged rollout.",
  options: {
    platform: option("PLATFORM", DISTRIBUTION_PLATFORMS.join(", "), { required: true }),
    version: option("VERSION", "The installed version", { required: true }),
    build: option("N", "The installed build", { required: true }),
    channel: option("CHANNEL", "stable (default) or beta"),
    at: option("TIME", "The time of the request (default: now)"),
    bucket: option("N", "Explain the update client of an installation in this bucket, 1 to 100"),
    package: option("KIND", `With --bucket, what it was installed as: ${PACKAGE_KINDS.join(", ")}`),
  },
  examples: [
    "trellis release decide --platform android --version 2.0.3 --build 41",
    "trellis release decide --platform android --version 2.0.3 --build 41 --bucket 30",
  ],
  async run(context) {
    const { options } = context;
    const catalog = await openCatalogContext(context);
    const request: DecisionRequest = {
      platform: parseChoice("--platform", options.platform, DISTRIBUTION_PLATFORMS),
      current: {
        version: parseVersionOption("--version", options.version),
        buildNumber: parseCount("--build", options.build),
      },
      channel: parseChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
      at: parseDateTime(parseIfGiven("--at", options.at, parseTimeOption) ?? "") ?? catalog.now(),
    };
    const bucket = parseIfGiven("--bucket", options.bucket, parseBucket);
    const kind = parseIfGiven("--package", options.package, (name, text) =>
      parseChoice(name, text, PACKAGE_KINDS),
    );
    if (kind !== undefined && bucket === undefined) {
      throw new UsageError("--package is known to the update client alone: add --bucket");
    }
    await (bucket === undefined
      ? printDecision(context, catalog, request)
      : printClient(context, catalog, request, { bucket, package: kind ?? null }));
  },
});

type Output = Pick<CommandContext, "print" | "json" | "warn">;

async function printDecision(
  output: Output,
  catalog: OpenedCatalogContext,
  request: DecisionRequest,
): Promise<void> {
  const { decision, rules, reasons } = expectAllowed(await explainDecision(catalog, request));
  const { version, buildNumber } = decision.target;
  output.print(
    decision.updateAvailable
      ? `${decision.mandatory ? "Mandatory update" : "Update"} to ${version} (build ${buildNumber})`
      : `No update: ${version} (build ${buildNumber}) is the latest`,
    ...reasons.map((reason) => `  ${reason}`),
  );
  output.json({ decision, rules, reasons });
}

async function printClient(
  output: Output,
  catalog: OpenedCatalogContext,
  request: DecisionRequest,
  facts: ClientFacts,
): Promise<void> {
  const explained = await explainClient(catalog, request, facts);
  const { status, rules, reasons, warnings } = expectAllowed(explained);
  for (const warning of warnings) output.warn(`Warning: ${warning}`);
  output.print(
    `An installation in bucket ${facts.bucket}: ${describeStatus(status)}`,
    ...reasons.map((reason) => `  ${reason}`),
  );
  output.json({ ...facts, ...summarise(status), rules, reasons });
}

function describeStatus(status: UpdateStatus): string {
  switch (status.kind) {
    case "up-to-date":
      return "no update";
    case "update-available":
      return `${describeUpdate(status)} ${status.release.version} (build ${status.release.buildNumber})`;
    case "no-artifact":
      return `${describeUpdate(status)} ${status.release.version}, which has no file for its platform, default architecture and kind of package`;
    case "withdrawn":
      return `no update, although its version was withdrawn (${status.withdrawn.reason})`;
    case "would-downgrade":
      return `no update, because ${status.latest.version} (build ${status.latest.buildNumber}) would lower its version or build`;
  }
}

function describeUpdate({ mandatory, unsupported }: UpdateFacts): string {
  if (unsupported) return "its version is no longer supported, update to";
  return mandatory ? "mandatory update to" : "update to";
}

function summarise(status: UpdateStatus) {
  const offered = "release" in status ? status.release : status.latest;
  return {
    status: status.kind,
    offered: offered && { version: offered.version, buildNumber: offered.buildNumber },
    mandatory: "mandatory" in status && status.mandatory,
    unsupported: "unsupported" in status && status.unsupported,
  };
}
