/** Whether the files of a draft are its own, by what they say of themselves and by their digests. */
import type { Detected, DraftRelease, SourceRelease } from "../../contract/release/catalog.ts";
import { appVersionOf, splitAppVersion } from "./app-version.ts";
import { isPublished, isWithdrawn, type Catalog } from "./catalog.ts";
import { formatFileError, type CatalogFileError } from "./catalog-file-error.ts";
import { releaseFile } from "./catalog-files.ts";

export interface OwnFilesResult {
  readonly errors: readonly CatalogFileError[];
  readonly warnings: readonly string[];
}

/** Which release has the file of a digest. */
export interface FileOwners {
  readonly withdrawn: ReadonlyMap<string, string>;
  readonly live: ReadonlyMap<string, string>;
}

/** For the files of all drafts at once, because a long history is read for it. */
export function findFileOwners(
  { releases, archive }: Pick<Catalog, "releases" | "archive">,
  drafts: readonly DraftRelease[],
): FileOwners {
  const others = releases.filter(({ version }) => archive?.entries.has(version) !== true);
  const withdrawn = ownersOf(others.filter(isWithdrawn));
  const live = ownersOf(others.filter(isPublished));
  for (const [sha256, owner] of archive?.findOwners(drafts.flatMap(digestsOf)) ?? []) {
    const owners = owner.withdrawal === undefined ? live : withdrawn;
    if (!owners.has(sha256)) owners.set(sha256, owner.version);
  }
  return { withdrawn, live };
}

/** A mismatch is an error unless a person allowed it. */
export function checkOwnFiles(
  draft: DraftRelease,
  owners: FileOwners,
  allowsMismatch: boolean,
): OwnFilesResult {
  const mismatches = findMismatches(draft);
  const { withdrawn, live } = findReused(draft, owners);
  const warnings = [...(allowsMismatch ? mismatches : []), ...live].map(formatFileError);
  return { errors: [...withdrawn, ...(allowsMismatch ? [] : mismatches)], warnings };
}

/** While files are added, nothing is refused: they may be built again. */
export function warnAboutOwnFiles(
  draft: DraftRelease,
  catalog: Pick<Catalog, "releases" | "archive">,
): readonly string[] {
  const { errors, warnings } = checkOwnFiles(draft, findFileOwners(catalog, [draft]), false);
  return [...errors.map(formatFileError), ...warnings];
}

function findMismatches(draft: DraftRelease): CatalogFileError[] {
  return draft.artifacts.flatMap(({ fileName, detected }, index) => {
    if (detected === undefined) return [];
    const names = [...new Set([appVersionOf(draft), draft.version])];
    const { version, build } = detected;
    const differences = [
      version !== undefined &&
        !names.some((name) => isVersionOf(detected, name, draft.buildNumber)) &&
        `says version ${version}, and the release is ${names.join(" or ")}`,
      build !== undefined &&
        build !== draft.buildNumber &&
        `says build ${build}, and the release has build ${draft.buildNumber}`,
    ];
    return differences
      .filter((text) => text !== false)
      .map((text) => ({
        file: releaseFile(draft.version),
        path: `artifacts[${index}]`,
        problem: `(${fileName}) ${text}`,
        remedy:
          "add the file of this release, or give `check` and `publish` --allow-version-mismatch",
      }));
  });
}

/** These have four numbers at most, so a pre-release looks like its release. */
const NUMBERS_ONLY: ReadonlySet<Detected["format"]> = new Set(["exe", "msi", "plist"]);

function isVersionOf({ format, version = "" }: Detected, name: string, build: number): boolean {
  const { core, preRelease } = splitAppVersion(name);
  const expected = normalise(name);
  const candidates = format === "deb" ? withoutRevision(version) : [version];
  if (candidates.some((candidate) => normalise(candidate) === expected)) return true;
  if (!NUMBERS_ONLY.has(format)) return false;
  const numbers = /^v?([0-9]+\.[0-9]+\.[0-9]+)(?:\.([0-9]+))?$/.exec(version);
  const isCore = normalise(numbers?.[1] ?? version) === normalise(core);
  if (!isCore || numbers?.[2] === undefined) return isCore;
  // The fourth number is that of a build, or of a pre-release.
  return preRelease.length > 0 || Number(numbers[2]) === build;
}

/** deb-version(7): an epoch, the version, and a revision of the package, which begins with a digit. */
function withoutRevision(version: string): string[] {
  const plain = version.replace(/^[0-9]+:/, "");
  return [plain, plain.replace(/-[0-9][^-]*$/, "")];
}

/** Zeros at the end of the numbers do not count, and what is behind them begins with any of three characters. */
function normalise(version: string): string {
  // SemVer 10: build metadata does not count.
  const parts = /^v?([0-9]+(?:\.[0-9]+)*)(?:[-~_](.+))?$/.exec(version.replace(/\+.*$/s, ""));
  if (parts === null) return version;
  const numbers = (parts[1] ?? "").split(".").map((number) => number.replace(/^0+(?=.)/, ""));
  while (numbers.at(-1) === "0") numbers.pop();
  return `${numbers.join(".")}-${(parts[2] ?? "").replaceAll(/[-~_]/g, ".")}`;
}

/** The same bytes as a file of another release: of a withdrawn one, they would come back to everybody. */
function findReused(draft: DraftRelease, { withdrawn, live }: FileOwners) {
  const found = (owners: ReadonlyMap<string, string>, status: string, remedy: string) =>
    draft.artifacts.flatMap(({ fileName, sha256 }, index) => {
      const owner = sha256 === undefined ? undefined : owners.get(sha256);
      if (owner === undefined) return [];
      const problem = `(${fileName}) is a file of ${owner}, which is ${status}`;
      return [{ file: releaseFile(draft.version), path: `artifacts[${index}]`, problem, remedy }];
    });
  return {
    withdrawn: found(withdrawn, "withdrawn", "build it again: no option allows it"),
    live: found(live, "published", "check that it is the file of this release"),
  };
}

function digestsOf({ artifacts }: SourceRelease): string[] {
  return artifacts.flatMap(({ sha256 }) => sha256 ?? []);
}

/** The newest release of each digest; the list is newest first. */
function ownersOf(releases: readonly SourceRelease[]): Map<string, string> {
  return new Map(
    releases
      .toReversed()
      .flatMap((release) => digestsOf(release).map((sha256) => [sha256, release.version])),
  );
}
