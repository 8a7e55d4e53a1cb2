/** Finds every fault of a catalogue: each with its file, the path in it, what is wrong, what to do. */
import { createChecker, type Checker } from "../../contract/check.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import {
  CatalogFile,
  DraftRelease,
  KeyRing,
  PublishedSource,
  WithdrawnSource,
  type SourceRelease,
} from "../../contract/release/catalog.ts";
import { isSettled, isWithdrawn, type Catalog, type ReleaseRecord } from "./catalog.ts";
import { compareVersions } from "./version.ts";

/** The parsed files of a catalogue folder. */
export interface CatalogFiles {
  readonly catalog: unknown;
  readonly keys: unknown;
  readonly releases: readonly { readonly file: string; readonly value: unknown }[];
}

export interface CatalogFault {
  readonly file: string;
  /** Where in the file; empty for the file as a whole. */
  readonly path: string;
  readonly problem: string;
  readonly remedy: string;
}

export type CatalogCheck<R extends ReleaseRecord = SourceRelease> =
  | { readonly kind: "valid"; readonly catalog: Catalog<R> }
  | { readonly kind: "invalid"; readonly faults: readonly CatalogFault[] };

export const CATALOG_FILE = "catalog.json";
export const KEYS_FILE = "keys.json";

export function releaseFile(version: string): string {
  return `releases/${version}.json`;
}

export function formatFault(fault: CatalogFault): string {
  const place = fault.path === "" ? fault.file : `${fault.file}: ${fault.path}`;
  return `${place} ${fault.problem}; ${fault.remedy}`;
}

export function validateCatalog(files: CatalogFiles): CatalogCheck {
  const hosts = artifactHostsOf(files.catalog);
  const releases = files.releases.map(({ file, value }) => checkSource(file, value, hosts));
  return checkHistory({ ...files, releases });
}

/** A release that was checked by itself. */
export interface CheckedSource<R extends ReleaseRecord = SourceRelease> {
  readonly file: string;
  /** Undefined when the file has not the shape of one. */
  readonly release: R | undefined;
  readonly faults: readonly CatalogFault[];
}

/** What can be said of one release without the others. */
export function checkSource(
  file: string,
  value: unknown,
  artifactHosts: readonly string[],
): CheckedSource {
  const faults: CatalogFault[] = [];
  const release = read(checkerFor(value), file, value, faults);
  if (release !== undefined) faults.push(...checkRelease(file, release, artifactHosts));
  return { file, release, faults };
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
  const settings = read(catalogChecker, CATALOG_FILE, files.catalog, faults);
  const keys = read(keysChecker, KEYS_FILE, files.keys, faults);
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
const releaseCheckers = {
  draft: createChecker(DraftRelease),
  published: createChecker(PublishedSource),
  withdrawn: createChecker(WithdrawnSource),
};

/** A file without a known status is measured as a draft, whose faults are the fewest. */
function checkerFor(value: unknown): Checker<SourceRelease> {
  const status = (value as { status?: unknown } | null)?.status;
  return typeof status === "string" && Object.hasOwn(releaseCheckers, status)
    ? releaseCheckers[status as SourceRelease["status"]]
    : STATUS_CHECKER;
}

const STATUS_CHECKER: Checker<SourceRelease> = {
  is: (_value): _value is SourceRelease => false,
  faults: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [{ path: "status", problem: 'must be "draft", "published" or "withdrawn"' }]
      : [{ path: "", problem: "must be a JSON object" }],
};

function read<T>(
  checker: Checker<T>,
  file: string,
  value: unknown,
  faults: CatalogFault[],
): T | undefined {
  if (checker.is(value)) return value;
  for (const { path, problem } of checker.faults(value)) {
    faults.push({ file, path, problem, remedy: "correct it in the file" });
  }
  return undefined;
}

/** What one release must obey by itself, beyond its shape. */
function checkRelease(
  file: string,
  release: SourceRelease,
  artifactHosts: readonly string[],
): CatalogFault[] {
  const faults: CatalogFault[] = [];
  const fault = (path: string, problem: string, remedy: string) =>
    faults.push({ file, path, problem, remedy });

  if (file !== releaseFile(release.version)) {
    fault("version", `is "${release.version}", which is not the file's name`, "make the two equal");
  }
  if (compareVersions(release.minimumSupportedVersion, release.version) > 0) {
    fault(
      "minimumSupportedVersion",
      `"${release.minimumSupportedVersion}" is newer than the release`,
      `use ${release.version} or an older version`,
    );
  }
  checkNumber("buildNumber", release.buildNumber, fault);
  checkArtifacts(release, artifactHosts, fault);
  checkStory(release, fault);
  return faults;
}

/** JSON has larger integers, but clients would each read another number. */
function checkNumber(path: string, value: number | undefined, fault: Report): void {
  if (value !== undefined && value > Number.MAX_SAFE_INTEGER) {
    fault(path, `${value} is too large`, `use at most ${Number.MAX_SAFE_INTEGER}`);
  }
}

type Report = (path: string, problem: string, remedy: string) => void;

function checkArtifacts(
  release: SourceRelease,
  artifactHosts: readonly string[],
  fault: Report,
): void {
  const identities = new Map<string, number>();
  const storeAt = new Map<string, number>();
  release.artifacts.forEach((artifact, index) => {
    const at = `artifacts[${index}]`;
    const kind = `${artifact.platform} ${artifact.architecture}`;
    const identity = `${kind} ${artifact.fileName}`;
    const before = identities.get(identity);
    if (before !== undefined) {
      fault(at, `is the same file as artifacts[${before}] (${identity})`, "remove one of the two");
    }
    identities.set(identity, index);

    if (artifact.platform === "android" && artifact.distribution === undefined) {
      fault(`${at}.distribution`, "is missing", 'an android artifact says "direct" or "play"');
    }
    if (artifact.platform !== "android" && artifact.distribution !== undefined) {
      fault(`${at}.distribution`, "is only for android artifacts", "remove it");
    }
    const store = storeAt.get(kind);
    if (artifact.distribution === "play") storeAt.set(kind, index);
    else if (store !== undefined) {
      fault(
        at,
        `(direct) stands after artifacts[${store}] (play) of the same platform and architecture`,
        "put the direct artifact first: it is the one a download redirects to",
      );
    }
    checkNumber(`${at}.size`, artifact.size, fault);
    if (artifact.url !== undefined) checkHost(`${at}.url`, artifact.url, artifactHosts, fault);
  });
}

const AUTHORITY = /^https:\/\/([^/?#]*)/;

function checkHost(path: string, url: string, allowed: readonly string[], fault: Report): void {
  const authority = (AUTHORITY.exec(url)?.[1] ?? "").toLowerCase();
  if (authority === "" || authority.includes("@")) {
    fault(
      path,
      `"${url}" has no plain host name`,
      "use https://host/path without user information",
    );
    return;
  }
  if (allowed.includes(authority)) return;
  const host = authority.replace(/:\d+$/, "");
  const isAllowed = allowed.some((entry) => [authority, host].includes(entry.toLowerCase()));
  if (allowed.length > 0 && !isAllowed) {
    fault(
      path,
      `points to "${authority}", which is not an allowed host`,
      `use one of ${allowed.join(", ")}, or add the host to artifactHosts in ${CATALOG_FILE}`,
    );
  }
}

function checkStory(release: SourceRelease, fault: Report): void {
  const mediaIds = new Set<string>();
  release.media?.forEach((media, index) => {
    if (mediaIds.has(media.id)) {
      fault(`media[${index}].id`, `"${media.id}" is used twice`, "give each media its own id");
    }
    mediaIds.add(media.id);
    checkNumber(`media[${index}].size`, media.size, fault);
    // A picture may lie with the website; only artifacts are bound to their hosts.
    checkHost(`media[${index}].url`, media.url, [], fault);
  });
  for (const language of ["de", "en"] as const) {
    release.presentation?.[language].highlights.forEach(({ mediaId }, index) => {
      if (mediaId === undefined || mediaIds.has(mediaId)) return;
      fault(
        `presentation.${language}.highlights[${index}].mediaId`,
        `"${mediaId}" names no media of this release`,
        "add the media, or remove the reference",
      );
    });
  }
}

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
