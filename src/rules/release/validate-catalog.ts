/** Finds every fault of a catalogue: each with its file, the path in it, what is wrong, what to do. */
import { createChecker } from "../../contract/check.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import { CatalogFile, KeyRing, type SourceRelease } from "../../contract/release/catalog.ts";
import { isSettled, isWithdrawn, type Catalog, type ReleaseRecord } from "./catalog.ts";
import { readChecked, type CatalogFault } from "./catalog-fault.ts";
import { CATALOG_FILE, KEYS_FILE, releaseFile } from "./catalog-file-names.ts";
import { checkSource, type CheckedSource } from "./check-source.ts";
import { compareVersions } from "./version.ts";

/** The parsed files of a catalogue folder. */
export interface CatalogFiles {
  readonly catalog: unknown;
  readonly keys: unknown;
  readonly releases: readonly { readonly file: string; readonly value: unknown }[];
}

export type CatalogCheck<R extends ReleaseRecord = SourceRelease> =
  | { readonly kind: "valid"; readonly catalog: Catalog<R> }
  | { readonly kind: "invalid"; readonly faults: readonly CatalogFault[] };

export function validateCatalog(files: CatalogFiles): CatalogCheck {
  const hosts = artifactHostsOf(files.catalog);
  const releases = files.releases.map(({ file, value }) => checkSource(file, value, hosts));
  return checkHistory({ ...files, releases });
}

/** The hosts that artifacts may come from, as catalog.json names them; none when it is invalid. */
export function artifactHostsOf(catalog: unknown): readonly string[] {
  return catalogChecker.is(catalog) ? catalog.artifactHosts : [];
}

/** The catalogue as a whole, of releases that were each checked by themselves. */
export function checkHistory<R extends ReleaseRecord>(files: {
  readonly catalog: unknown;
  readonly keys: unknown;
  readonly releases: readonly CheckedSource<R>[];
}): CatalogCheck<R> {
  const faults: CatalogFault[] = [];
  const settings = readChecked(catalogChecker, CATALOG_FILE, files.catalog, faults);
  const keys = readChecked(keysChecker, KEYS_FILE, files.keys, faults);
  const sources: Source<R>[] = [];
  for (const { file, release, faults: own } of files.releases) {
    faults.push(...own);
    if (release !== undefined) sources.push({ file, release });
  }
  sources.sort((a, b) => b.release.buildNumber - a.release.buildNumber);
  const releases = sources.map(({ release }) => release);
  faults.push(...checkUniqueness(sources), ...checkOrder(releases), ...checkWithdrawals(releases));
  if (settings !== undefined && keys !== undefined) faults.push(...checkSigning(settings, keys));
  if (faults.length > 0 || settings === undefined || keys === undefined) {
    return { kind: "invalid", faults };
  }
  return { kind: "valid", catalog: { settings, keys, releases } };
}

interface Source<R extends ReleaseRecord> {
  readonly file: string;
  readonly release: R;
}

const catalogChecker = createChecker(CatalogFile);
const keysChecker = createChecker(KeyRing);

function checkUniqueness(sources: readonly Source<ReleaseRecord>[]): CatalogFault[] {
  const faults: CatalogFault[] = [];
  for (const [path, remedy] of [
    ["version", "a version is used once, also by drafts and withdrawn releases"],
    ["buildNumber", "give each release a build number of its own"],
  ] as const) {
    const owners = new Map<string | number, string>();
    for (const { file, release } of sources) {
      const owner = owners.get(release[path]);
      if (owner !== undefined) {
        faults.push({ file, path, problem: `${release[path]} is also used by ${owner}`, remedy });
      }
      owners.set(release[path], file);
    }
  }
  return faults;
}

/** Builds grow with publication order, and inside a channel with SemVer (contract, convention 6). */
function checkOrder(releases: readonly ReleaseRecord[]): CatalogFault[] {
  const faults: CatalogFault[] = [];
  const settled = releases.filter(isSettled).toReversed();
  let before: (typeof settled)[number] | undefined;
  let publishedBefore = -Infinity;
  const newestByChannel = new Map<string, string>();
  for (const release of settled) {
    const file = releaseFile(release.version);
    const publishedAt = parseDateTime(release.publishedAt) ?? 0;
    if (before !== undefined && publishedAt < publishedBefore) {
      faults.push({
        file,
        path: "publishedAt",
        problem: `is before that of ${before.version}, although build ${release.buildNumber} is higher than build ${before.buildNumber}`,
        remedy: "build numbers grow in the order of publication: correct one of the two",
      });
    }
    const older = newestByChannel.get(release.channel);
    if (older !== undefined && compareVersions(release.version, older) <= 0) {
      faults.push({
        file,
        path: "buildNumber",
        problem: `${release.buildNumber} is higher than that of ${older}, although the version is not newer`,
        remedy: `inside the channel "${release.channel}" a newer version has the higher build number`,
      });
    }
    newestByChannel.set(release.channel, release.version);
    before = release;
    publishedBefore = publishedAt;
  }
  return faults;
}

function checkWithdrawals(releases: readonly ReleaseRecord[]): CatalogFault[] {
  const settledVersions = new Set(releases.filter(isSettled).map(({ version }) => version));
  return releases.filter(isWithdrawn).flatMap(({ version, withdrawal: { replacedBy } }) =>
    replacedBy === undefined || (replacedBy !== version && settledVersions.has(replacedBy))
      ? []
      : [
          {
            file: releaseFile(version),
            path: "withdrawal.replacedBy",
            problem: `"${replacedBy}" is no other published release`,
            remedy: "name a release that was published, or remove it",
          },
        ],
  );
}

/** Before the first key is made the ring is empty, and nothing can have been signed. */
function checkSigning(settings: CatalogFile, keys: KeyRing): CatalogFault[] {
  if (Object.keys(keys).length === 0) return [];
  return Object.entries(settings.signing).flatMap(([role, keyId]) =>
    Object.hasOwn(keys, keyId)
      ? []
      : [
          {
            file: CATALOG_FILE,
            path: `signing.${role}`,
            problem: `"${keyId}" is not in ${KEYS_FILE}`,
            remedy: "add its public key, or name a key that is there",
          },
        ],
  );
}
