/** The rules between the releases of a catalogue: what is used once, what grows, what names another release. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { CatalogFile, SourceRelease } from "../../contract/release/catalog.ts";
import type { Rollout } from "../../contract/release/schemas.ts";
import { appVersionOf, compareAppVersions } from "./app-version.ts";
import type { CatalogFileError } from "./catalog-file-error.ts";
import { CATALOG_FILE, releaseFile } from "./catalog-files.ts";
import { compareVersions } from "./version.ts";

/** A release, and the file it is in. */
export interface ReleaseSource {
  readonly file: string;
  readonly release: SourceRelease;
}

/** `sources` are newest build first. */
export function checkHistory(
  sources: readonly ReleaseSource[],
  settings: CatalogFile | undefined,
): CatalogFileError[] {
  const releases = sources.map(({ release }) => release);
  return [
    ...checkUniqueness(sources),
    ...inTheirFiles(sources, [...checkOrder(releases), ...checkWithdrawals(releases)]),
    ...checkRollouts(settings?.rollouts ?? [], releases),
  ];
}

/** A release of the archive has no file of its own. */
function inTheirFiles(
  sources: readonly ReleaseSource[],
  errors: readonly CatalogFileError[],
): readonly CatalogFileError[] {
  if (errors.length === 0) return errors;
  const files = new Map(sources.map(({ file, release }) => [releaseFile(release.version), file]));
  return errors.map((error) => ({ ...error, file: files.get(error.file) ?? error.file }));
}

function checkUniqueness(sources: readonly ReleaseSource[]): CatalogFileError[] {
  const errors: CatalogFileError[] = [];
  for (const [path, remedy, valueOf] of UNIQUE_MEMBERS) {
    const owners = new Map<string | number, ReleaseSource>();
    for (const source of sources) {
      const value = valueOf(source.release);
      const owner = owners.get(value);
      owners.set(value, source);
      // Without names of their own, two equal versions are reported as such.
      const isTold = path === "appVersion" && owner?.release.version === source.release.version;
      if (owner === undefined || isTold) continue;
      const problem = `${value} is also used by ${owner.file}`;
      errors.push({ file: source.file, path, problem, remedy });
    }
  }
  return errors;
}

const UNIQUE_MEMBERS: readonly (readonly [
  path: string,
  remedy: string,
  valueOf: (release: SourceRelease) => string | number,
])[] = [
  [
    "version",
    "a version is used once, also by drafts and withdrawn releases",
    ({ version }) => version,
  ],
  ["buildNumber", "give each release a different build number", ({ buildNumber }) => buildNumber],
  [
    "appVersion",
    "give each release a version of its own: installations of one would never be offered the other",
    // SemVer 10: build metadata makes no version newer.
    (release) => appVersionOf(release).replace(/\+.*/, ""),
  ],
];

/** Builds grow with publication order, and inside a channel with SemVer (contract, convention 6). */
function checkOrder(releases: readonly SourceRelease[]): CatalogFileError[] {
  const errors: CatalogFileError[] = [];
  const published = releases.filter((release) => release.status !== "draft").toReversed();
  let before: (typeof published)[number] | undefined;
  let publishedBefore = -Infinity;
  const newestByChannel = new Map<string, SourceRelease>();
  for (const release of published) {
    const file = releaseFile(release.version);
    const publishedAt = parseDateTime(release.publishedAt) ?? 0;
    if (before !== undefined && publishedAt < publishedBefore) {
      errors.push({
        file,
        path: "publishedAt",
        problem: `is before that of ${before.version}, although build ${release.buildNumber} is higher than build ${before.buildNumber}`,
        remedy: "build numbers grow in the order of publication: correct one of the two",
      });
    }
    const older = newestByChannel.get(release.channel);
    if (older !== undefined && compareVersions(release.version, older.version) <= 0) {
      errors.push({
        file,
        path: "buildNumber",
        problem: `${release.buildNumber} is higher than that of ${older.version}, although the version is not newer`,
        remedy: `inside the channel "${release.channel}" a newer version has the higher build number`,
      });
    } else if (older !== undefined) errors.push(...checkAppOrder(release, older));
    newestByChannel.set(release.channel, release);
    before = release;
    publishedBefore = publishedAt;
  }
  return errors;
}

/** Updaters compare what apps call themselves: what is older by that reaches no installation. */
function checkAppOrder(release: SourceRelease, older: SourceRelease): CatalogFileError[] {
  // The order of the versions themselves is checked before.
  if (release.appVersion === undefined && older.appVersion === undefined) return [];
  const [name, olderName] = [appVersionOf(release), appVersionOf(older)];
  if (compareAppVersions(name, olderName) >= 0) return [];
  return [
    {
      file: releaseFile(release.version),
      path: "appVersion",
      problem: `${name} is older than ${olderName}, which installations of ${older.version} have`,
      remedy: `inside the channel "${release.channel}" apps find only a newer one, by SemVer`,
    },
  ];
}

function checkWithdrawals(releases: readonly SourceRelease[]): CatalogFileError[] {
  const published = releases.filter((release) => release.status !== "draft");
  const versions = new Set(published.map(({ version }) => version));
  return published.flatMap((release) => {
    const replacedBy = release.status === "withdrawn" ? release.withdrawal.replacedBy : undefined;
    if (replacedBy === undefined) return [];
    if (replacedBy !== release.version && versions.has(replacedBy)) return [];
    return [
      {
        file: releaseFile(release.version),
        path: "withdrawal.replacedBy",
        problem: `"${replacedBy}" is not another published release`,
        remedy: "name a release that was published, or remove it",
      },
    ];
  });
}

function checkRollouts(
  rollouts: readonly Rollout[],
  releases: readonly SourceRelease[],
): CatalogFileError[] {
  const statuses = new Map(releases.map(({ version, status }) => [version, status]));
  const named = new Set<string>();
  return rollouts.flatMap(({ version }, index) => {
    const at = { file: CATALOG_FILE, path: `rollouts[${index}].version` };
    const status = statuses.get(version);
    const isTwice = named.has(version);
    named.add(version);
    if (isTwice) {
      const remedy = "keep the entry with the percent that is meant, and remove the other";
      return [{ ...at, problem: `"${version}" is named twice`, remedy }];
    }
    if (status === "published" || status === "withdrawn") return [];
    const remedy = "name a release that was published, or remove the entry";
    const problem =
      status === undefined
        ? `"${version}" is not a release of this catalogue`
        : `"${version}" is a draft, and only a published release has a rollout`;
    return [{ ...at, problem, remedy }];
  });
}
