import { RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { formatTimeLeft } from "../../../release/catalog/catalog-warnings.ts";
import {
  readCatalogStatus,
  type CatalogStatus,
  type ChannelStatus,
  type RolloutStatus,
} from "../../../release/publishing/catalog-status.ts";
import { formatCount } from "../../format.ts";
import { CommandError, defineCommand, type Line } from "../../command.ts";
import { openCatalogContext } from "./catalog-context.ts";
import { summariseCoverage } from "./coverage.ts";

export const command = defineCommand({
  description: "Exit code 1 when the catalogue is not valid or its manifest has expired.",
  async run(context) {
    const catalog = await openCatalogContext(context);
    const { folder, keysFolder, feeds } = catalog;
    const status = await readCatalogStatus(folder, keysFolder, catalog.now(), feeds);
    if (status.kind === "invalid") {
      context.print(...status.errors.map(formatFileError));
      throw new CommandError(`The catalogue "${catalog.folder}" is not valid`, { ...status });
    }
    context.print(...describe(status));
    if (status.manifest?.isExpired === true) {
      const remedy = "run `trellis release sign`, and run it on a timer";
      throw new CommandError(`The manifest has expired: ${remedy}`, { ...status });
    }
    context.json(status);
  },
});

type ValidStatus = Extract<CatalogStatus, { kind: "valid" }>;

function describe(status: ValidStatus): Line[] {
  const { manifest } = status;
  return [
    `Product    ${status.product}`,
    `Catalogue  ${status.folder}`,
    ...RELEASE_CHANNELS.flatMap((channel) => {
      const { rollout } = status.channels[channel];
      return [
        `${channel.padEnd(10)} ${describeChannel(status.channels[channel])}`,
        rollout !== null && `${"".padEnd(10)} ${describeRollout(rollout)}`,
      ];
    }),
    ...(manifest === null
      ? [`Manifest   ${status.hasHistory ? "missing" : "none yet"}`]
      : [
          `Manifest   sequence ${manifest.sequence}, signed ${manifest.issuedAt} with ${manifest.keyId}`,
          `           ${manifest.isExpired ? "expired" : "expires"} ${manifest.expiresAt}${manifest.isExpired ? "" : ` (in ${formatTimeLeft(manifest.secondsLeft * 1000)})`}`,
          manifest.archived > 0 &&
            `           the newest ${formatCount(manifest.releases, "release")}; ${formatCount(manifest.archived, "older one")} in the archive`,
        ]),
    status.keys.length === 0 && "Keys       none yet",
    ...status.keys.map(
      ({ keyId, role, isHere }, index) =>
        (index === 0 ? "Keys" : "").padEnd(11) +
        `${keyId} (${role}, private key ${isHere ? "on this machine" : "not on this machine"})`,
    ),
    ...status.updaterKeys.map(
      ({ keyId, kind, isHere }) =>
        " ".repeat(11) +
        `${keyId} (${kind}, private key ${isHere ? "on this machine" : "not on this machine"})`,
    ),
    ...status.coverage.map(
      (coverage, index) => (index === 0 ? "Reaches" : "").padEnd(11) + summariseCoverage(coverage),
    ),
    ...status.warnings.map((warning) => `Warning: ${warning}`),
  ];
}

function describeRollout({ percent, summary }: RolloutStatus): string {
  return `${percent === 0 ? "rollout stopped" : `rollout ${percent} percent`}: ${summary}`;
}

function describeChannel({ latest, published, drafts, withdrawn }: ChannelStatus): string {
  const newest =
    latest === null
      ? "nothing published"
      : `latest ${latest.version} (build ${latest.buildNumber})`;
  return `${newest}; ${published} published, ${formatCount(drafts, "draft")}, ${withdrawn} withdrawn`;
}
