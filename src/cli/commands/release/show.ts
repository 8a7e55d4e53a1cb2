import { join } from "node:path";
import type { SourceRelease } from "../../../contract/release/catalog.ts";
import { EVERYBODY_PERCENT } from "../../../contract/release/values.ts";
import { releaseFile } from "../../../rules/release/catalog-files.ts";
import { percentOf, rolloutsToSign } from "../../../rules/release/rollouts.ts";
import { hasNotes, NOTE_LISTS } from "../../../rules/release/changelog.ts";
import { findIncomplete } from "../../../release/publishing/check-catalog.ts";
import { defineCommand, type Line } from "../../command.ts";
import { formatFileSize } from "../../format.ts";
import {
  expectKnownRelease,
  openCatalogContext,
  readConfiguredCatalog,
} from "./catalog-context.ts";
import { parseVersionOption } from "./parse-options.ts";

export const command = defineCommand({
  arguments: { version: { description: "A release or draft", required: true } },
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const { folder } = await openCatalogContext(context);
    const catalog = await readConfiguredCatalog(context);
    const release = expectKnownRelease(catalog, version);
    const { settings, releases } = catalog;
    const rollout =
      release.status === "published"
        ? percentOf(rolloutsToSign(releases, settings.rollouts ?? []), version)
        : null;
    const file = join(folder, releaseFile(version));
    const missing = findIncomplete(catalog).find((item) => item.version === version)?.missing ?? [];
    context.print(
      ...describeHead(release, file),
      rollout !== null &&
        rollout !== EVERYBODY_PERCENT &&
        `Rollout    ${rollout} percent of the installations`,
      ...describeNotes(release),
      ...release.artifacts.flatMap(describeArtifact),
      ...missing.map((item) => `Missing    ${item}`),
    );
    context.json({ file, release, rollout, missing });
  },
});

function describeHead(release: SourceRelease, file: string): Line[] {
  const { version, buildNumber, channel, status, minimumSupportedVersion, mandatoryAfter } =
    release;
  const withdrawal = release.status === "withdrawn" && release.withdrawal;
  return [
    `Release    ${version} (build ${buildNumber}), channel ${channel}`,
    `Status     ${status}${release.status === "draft" ? "" : `, published ${release.publishedAt}`}`,
    withdrawal && `Withdrawn  ${withdrawal.at}: ${withdrawal.reason}`,
    withdrawal && withdrawal.replacedBy !== undefined && `Replaced   by ${withdrawal.replacedBy}`,
    `Supported  from ${minimumSupportedVersion} on`,
    mandatoryAfter !== null && `Mandatory  after ${mandatoryAfter}`,
    `File       ${file}`,
  ];
}

function describeNotes({ notes, presentation }: SourceRelease): Line[] {
  const languages = Object.keys(presentation ?? {});
  return [
    ...NOTE_LISTS.flatMap((list) => notes[list].map((text) => `Notes      ${list}: ${text}`)),
    !hasNotes(notes) && "Notes      none",
    languages.length > 0 && `Presented  in ${languages.join(", ")}`,
  ];
}

type Artifact = SourceRelease["artifacts"][number];

function describeArtifact(artifact: Artifact): Line[] {
  const { platform, architecture, distribution, fileName, signed } = artifact;
  const { size, sha256, minimumOs, url } = artifact;
  const signatures = Object.keys(artifact.signatures ?? {});
  const kind = distribution === undefined ? "" : `, ${distribution}`;
  return [
    `Artifact   ${fileName} (${platform} ${architecture}${kind}${signed ? ", code-signed" : ""})`,
    size !== undefined && `           ${formatFileSize(size)}`,
    sha256 !== undefined && `           SHA-256 ${sha256}`,
    minimumOs !== undefined && `           needs version ${minimumOs} of the system`,
    signatures.length > 0 && `           signature for ${signatures.join(", ")}`,
    url !== undefined && `           ${url}`,
  ];
}
