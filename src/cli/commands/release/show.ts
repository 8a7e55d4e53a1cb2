import { join } from "node:path";
import type { SourceRelease } from "../../../contract/release/catalog.ts";
import { EVERYBODY_PERCENT } from "../../../contract/release/values.ts";
import { formatVersions, versionsOf } from "../../../rules/release/app-version.ts";
import { isArchived, platformsOf, type Catalog } from "../../../rules/release/catalog.ts";
import { ARCHIVE_FILE, releaseFile } from "../../../rules/release/catalog-files.ts";
import type { LoadedManifest } from "../../../release/catalog/opened-catalog.ts";
import { percentOf, rolloutsToSign } from "../../../rules/release/rollouts.ts";
import { hasNotes, NOTE_LISTS } from "../../../rules/release/changelog.ts";
import { findCoverage } from "../../../rules/release/coverage/find-coverage.ts";
import { noteToText } from "../../../rules/release/note.ts";
import { findIncomplete } from "../../../release/publishing/check-catalog.ts";
import { defineCommand, type Line } from "../../command.ts";
import { formatFileSize, formatTable } from "../../format.ts";
import {
  expectKnownRelease,
  openCatalogContext,
  readConfiguredCatalog,
  readConfiguredState,
} from "./catalog-context.ts";
import { formatCoverage } from "./coverage.ts";
import { parseVersionOption } from "./parse-options.ts";
import type { Rollout } from "../../../contract/release/schemas.ts";

export const showReleaseCommand = defineCommand({
  arguments: { version: { description: "A release or draft", required: true } },
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const { folder, feeds } = await openCatalogContext(context);
    const { catalog, manifest } = await readConfiguredState(context);
    const release = expectKnownRelease(catalog, version);
    const place = findPlace(release, catalog, manifest);
    const { settings, releases } = catalog;
    const rollout =
      release.status === "published"
        ? percentOf(rolloutsToSign(releases, settings.rollouts ?? []), version)
        : null;
    const file = join(folder, isArchived(catalog, version) ? ARCHIVE_FILE : releaseFile(version));
    const missing = findIncomplete(catalog).find((item) => item.version === version)?.missing ?? [];
    const coverage = release.status === "withdrawn" ? null : findCoverage(catalog, release, feeds);
    context.print(
      ...describeHead(release, file),
      rollout !== null &&
        rollout !== EVERYBODY_PERCENT &&
        `Rollout    ${rollout} percent of the installations`,
      place !== null && `Signed     ${PLACES[place]}`,
      ...describeNotes(release),
      ...release.artifacts.flatMap(describeArtifact),
      ...missing.map((item) => `Missing    ${item}`),
      ...(coverage === null ? [] : formatCoverage(coverage)),
    );
    context.json({ file, release, rollout, place, missing, coverage });
  },
});

const PLACES = {
  manifest: "in the manifest",
  archive: "in the archive of the manifest",
  neither: "not yet: `trellis release sign` signs it",
};

/** Where clients find the release, or that it was withdrawn; null for a draft. */
function findPlace(
  { version, status }: SourceRelease,
  catalog: Catalog,
  manifest: LoadedManifest | null,
): keyof typeof PLACES | null {
  if (status === "draft") return null;
  const { releases = [], withdrawn = [] } = manifest?.payload ?? {};
  if ([...releases, ...withdrawn].some((entry) => entry.version === version)) return "manifest";
  return isArchived(catalog, version) ? "archive" : "neither";
}

function describeHead(release: SourceRelease, file: string): Line[] {
  const { version, buildNumber, channel, status, minimumSupportedVersion, mandatoryAfter } =
    release;
  const withdrawal = release.status === "withdrawn" && release.withdrawal;
  return [
    `Release    ${version} (build ${buildNumber}), channel ${channel}`,
    release.appVersion !== undefined && `App        ${release.appVersion}`,
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
    ...NOTE_LISTS.flatMap((list) => notes[list].flatMap((note) => describeNote(list, note))),
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

export const listReleasesCommand = defineCommand({
  description: "Newest build first, with drafts and withdrawn releases.",
  async run(context) {
    const catalog = await readConfiguredCatalog(context);
    const rollouts = rolloutsToSign(catalog.releases, catalog.settings.rollouts ?? []);
    const releases = catalog.releases.map((release) => summarise(release, catalog, rollouts));
    if (releases.length === 0) {
      context.print("There are no releases yet: `trellis release new VERSION --build N` makes one");
    } else {
      context.print(...formatTable([HEADINGS, ...releases.map(toRow)]));
    }
    context.json({ releases });
  },
});

const HEADINGS = ["VERSION", "BUILD", "CHANNEL", "STATUS", "PUBLISHED", "PLATFORMS"];

type Summary = ReturnType<typeof summarise>;

function summarise(release: SourceRelease, { archive }: Catalog, rollouts: readonly Rollout[]) {
  const { version, buildNumber, channel, status, publishedAt = null } = release;
  const platforms = archive?.entries.get(version)?.platforms ?? platformsOf(release.artifacts);
  const rollout = status === "published" ? percentOf(rollouts, version) : null;
  const scheduledFor = release.status === "draft" ? (release.scheduled?.at ?? null) : null;
  const named = versionsOf(release);
  return { ...named, buildNumber, channel, status, scheduledFor, rollout, publishedAt, platforms };
}

function toRow(release: Summary): string[] {
  const { buildNumber, channel, rollout, scheduledFor, publishedAt, platforms } = release;
  const isStaged = rollout !== null && rollout < EVERYBODY_PERCENT;
  const more = isStaged
    ? ` (${rollout} %)`
    : scheduledFor === null
      ? ""
      : ` (from ${toDay(scheduledFor)})`;
  const status = `${release.status}${more}`;
  const day = publishedAt === null ? "-" : toDay(publishedAt);
  const name = formatVersions(release);
  return [name, String(buildNumber), channel, status, day, platforms.join(", ") || "-"];
}

function toDay(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}

function describeNote(list: string, note: string): string[] {
  const [first = "", ...points] = noteToText(note).split("\n");
  return [`Notes      ${list}: ${first}`, ...points.map((point) => `           ${point}`)];
}
