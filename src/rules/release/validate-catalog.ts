/** Finds every error of a catalogue: each with its file, the path in it, what is wrong, what to do. */
import { createChecker } from "../../contract/check.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import { CatalogFile, KeyRing, type SourceRelease } from "../../contract/release/catalog.ts";
import type { Rollout } from "../../contract/release/schemas.ts";
import { appVersionOf, compareAppVersions } from "./app-version.ts";
import type { Catalog } from "./catalog.ts";
import { checkAgainstSchema, type CatalogFileError } from "./catalog-file-error.ts";
import { ARCHIVE_FILE, CATALOG_FILE, KEYS_FILE, releaseFile } from "./catalog-files.ts";
import { listUpdaterKeys } from "./updater-keys.ts";
import { validateRelease } from "./validate-release.ts";
import { compareVersions } from "./version.ts";

/** The parsed files of a catalogue folder. */
export interface CatalogFiles {
  readonly catalog: unknown;
  readonly keys: unknown;
  readonly releases: readonly { readonly file: string; readonly value: unknown }[];
  /** Those of the archive never change, and a signed digest covers them: each was checked before it was signed. */
  readonly archived?: readonly SourceRelease[];
}

export type CatalogValidationResult =
  | { readonly kind: "valid"; readonly catalog: Catalog }
  | { readonly kind: "invalid"; readonly errors: readonly CatalogFileError[] };

export function validateCatalog(files: CatalogFiles): CatalogValidationResult {
  const errors: CatalogFileError[] = [];
  const { settings, keys } = validateSettings(files, errors);
  const sources: { file: string; release: SourceRelease }[] = [];
  const archived = new Map((files.archived ?? []).map((release) => [release.version, release]));
  for (const { file, value } of files.releases) {
    const release = validateRelease(file, value, settings?.artifactHosts ?? [], errors);
    if (release === undefined) continue;
    if (release.status !== "draft" && archived.has(release.version)) errors.push(inArchive(file));
    else sources.push({ file, release });
  }
  for (const release of archived.values()) sources.push({ file: ARCHIVE_FILE, release });
  sources.sort((a, b) => b.release.buildNumber - a.release.buildNumber);
  errors.push(...checkHistory(sources, settings));
  if (errors.length > 0 || settings === undefined || keys === undefined) {
    return { kind: "invalid", errors };
  }
  const releases = sources.map(({ release }) => release);
  return { kind: "valid", catalog: { settings, keys, releases } };
}

/** Version control brings the file back when one side of a merge changed what the other moved. */
function inArchive(file: string): CatalogFileError {
  const problem = `is still there, although ${ARCHIVE_FILE} has the release`;
  const remedy =
    "delete the file; if it says that the release was withdrawn, run `trellis release withdraw` again";
  return { file, path: "", problem, remedy };
}

/** The files that describe no release; a file that is not as its schema says is left out. */
function validateSettings(
  files: Pick<CatalogFiles, "catalog" | "keys">,
  errors: CatalogFileError[],
): Partial<Pick<Catalog, "settings" | "keys">> {
  const settings = checkAgainstSchema(catalogChecker, CATALOG_FILE, files.catalog, errors);
  const keys = checkAgainstSchema(keysChecker, KEYS_FILE, files.keys, errors);
  if (settings !== undefined && keys !== undefined) {
    errors.push(...checkSigning(settings, keys), ...checkUpdaterKeys(settings, keys));
  }
  return { ...(settings !== undefined && { settings }), ...(keys !== undefined && { keys }) };
}

/** The rules between releases; `sources` are newest build first. */
function checkHistory(
  sources: readonly Source[],
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
  sources: readonly Source[],
  errors: readonly CatalogFileError[],
): readonly CatalogFileError[] {
  if (errors.length === 0) return errors;
  const files = new Map(sources.map(({ file, release }) => [releaseFile(release.version), file]));
  return errors.map((error) => ({ ...error, file: files.get(error.file) ?? error.file }));
}

interface Source {
  readonly file: string;
  readonly release: SourceRelease;
}

const catalogChecker = createChecker(CatalogFile);
const keysChecker = createChecker(KeyRing);

function checkUniqueness(sources: readonly Source[]): CatalogFileError[] {
  const errors: CatalogFileError[] = [];
  for (const [path, remedy, valueOf] of UNIQUE_MEMBERS) {
    const owners = new Map<string | number, Source>();
    for (const source of sources) {
      const value = valueOf(source.release);
      const owner = owners.get(value);
      owners.set(value, source);
      // Without names of their own, two equal versions are told as such.
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

/** Before the first key is made the ring is empty, and nothing is signed. */
function checkSigning({ signing }: CatalogFile, keys: KeyRing): CatalogFileError[] {
  if (Object.keys(keys).length === 0) return [];
  const { revoked = [] } = signing;
  return (["active", "standby"] as const).flatMap((role) => {
    const keyId = signing[role];
    if (keyId === undefined) return [];
    const at = { file: CATALOG_FILE, path: `signing.${role}` };
    if (revoked.includes(keyId)) {
      const remedy = "name another key: a revoked key does not return";
      return [{ ...at, problem: `"${keyId}" is revoked`, remedy }];
    }
    if (Object.hasOwn(keys, keyId)) return [];
    const remedy = "add its public key, or name a key that is there";
    return [{ ...at, problem: `"${keyId}" is not in ${KEYS_FILE}`, remedy }];
  });
}

/** A key has one purpose: what signs files for other updaters never signs a manifest. */
function checkUpdaterKeys(settings: CatalogFile, ring: KeyRing): CatalogFileError[] {
  const { active, standby, revoked = [] } = settings.signing;
  const takenIds = new Set<string | undefined>([...Object.keys(ring), ...revoked, active, standby]);
  const publicKeys = new Map(Object.entries(ring).map(([keyId, key]) => [key, keyId]));
  const errors: CatalogFileError[] = [];
  for (const { kind, keyId, ringKey } of listUpdaterKeys(settings)) {
    const at = { file: CATALOG_FILE, path: `updaterKeys.${kind}` };
    if (takenIds.has(keyId)) {
      const remedy = `make a key of its own with \`trellis release key new --kind ${kind}\``;
      errors.push({ ...at, problem: `"${keyId}" is the id of another key`, remedy });
    }
    const owner = publicKeys.get(ringKey);
    if (owner !== undefined) {
      const remedy = "use a key of its own for each purpose";
      errors.push({ ...at, problem: `has the public key of "${owner}"`, remedy });
    }
    takenIds.add(keyId);
    publicKeys.set(ringKey, keyId);
  }
  return errors;
}
