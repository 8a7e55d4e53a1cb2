/** A published release never changes: compares a catalogue with its signed manifest. */
import type { PublishedSource, WithdrawnSource } from "../../contract/release/catalog.ts";
import type { ManifestPayload, Release, WithdrawnRelease } from "../../contract/release/schemas.ts";
import {
  isArchived,
  isPublished,
  wasPublished,
  isWithdrawn,
  toPublicRelease,
  withdrawnReleases,
  type Catalog,
} from "./catalog.ts";
import type { CatalogFileError } from "./catalog-file-error.ts";
import { CATALOG_FILE, releaseFile } from "./catalog-files.ts";
import { mayFollow, percentOf, rolloutsToSign } from "./rollouts.ts";

export interface ManifestComparison {
  /** Errors of a history that was rewritten. */
  readonly errors: readonly CatalogFileError[];
  /** Published releases that the manifest lacks: clients that verify do not see them. */
  readonly neverSigned: readonly string[];
  /** Withdrawals, rollouts and keys whose latest state is not signed yet: clients that verify do not see it. */
  readonly unsigned: readonly string[];
}

export function compareWithManifest(catalog: Catalog, manifest: SignedContent): ManifestComparison {
  const errors = [...compareRevoked(catalog, manifest), ...compareRollouts(catalog, manifest)];
  const sources = new Map(
    catalog.releases.filter(wasPublished).map((release) => [release.version, release]),
  );
  for (const release of manifest.releases) {
    const source = sources.get(release.version);
    const error = source === undefined ? missing(release) : compareRelease(source, release);
    if (error !== null) errors.push(error);
  }
  for (const entry of manifest.withdrawn) {
    const source = sources.get(entry.version);
    const error = source === undefined ? missing(entry) : compareWithdrawn(source, entry);
    if (error !== null) errors.push(error);
  }
  return {
    errors,
    neverSigned: findNeverSigned(catalog, manifest),
    unsigned: findUnsigned(catalog, manifest),
  };
}

type SignedContent = Pick<ManifestPayload, "releases" | "withdrawn" | "revokedKeys" | "rollouts">;

function compareRevoked(
  { settings }: Catalog,
  { revokedKeys = [] }: SignedContent,
): CatalogFileError[] {
  const { revoked = [] } = settings.signing;
  return revokedKeys
    .filter((keyId) => !revoked.includes(keyId))
    .map((keyId) => ({
      file: CATALOG_FILE,
      path: "signing.revoked",
      problem: `lacks "${keyId}", which was revoked and signed`,
      remedy: "a revoked key does not return: add its id again",
    }));
}

function compareRollouts(
  { settings, releases }: Catalog,
  { rollouts: signed = [] }: SignedContent,
): CatalogFileError[] {
  const published = new Set(releases.filter(isPublished).map(({ version }) => version));
  return signed.flatMap(({ version, percent }) => {
    const now = percentOf(settings.rollouts ?? [], version);
    if (!published.has(version) || mayFollow(percent, now)) return [];
    return [
      {
        file: CATALOG_FILE,
        path: "rollouts",
        problem: `says ${now} percent for ${version}, although ${percent} percent was signed`,
        remedy: `a rollout only rises, except to 0: write ${percent} or more, or 0 to stop it`,
      },
    ];
  });
}

function missing({ version }: { readonly version: string }): CatalogFileError {
  return {
    file: releaseFile(version),
    path: "",
    problem: "was published and signed, and is no longer there",
    remedy: "restore the file; use `trellis release withdraw` to take a release back",
  };
}

/** A release that was withdrawn since then must still have its published content. */
function compareRelease(source: OncePublished, signed: Release): CatalogFileError | null {
  const now = toPublicRelease(source);
  if (sameJson(now, signed)) return null;
  return {
    file: releaseFile(signed.version),
    path: firstDifference(signed, now),
    problem: "differs from what was published and signed",
    remedy: "a published release never changes: restore it and publish a new version",
  };
}

function compareWithdrawn(
  source: OncePublished,
  signed: WithdrawnRelease,
): CatalogFileError | null {
  const file = releaseFile(signed.version);
  if (!isWithdrawn(source)) {
    return {
      file,
      path: "status",
      problem: "is published again, although the release was withdrawn",
      remedy: "a withdrawn release does not return: publish a new version",
    };
  }
  if (source.buildNumber === signed.buildNumber) return null;
  return {
    file,
    path: "buildNumber",
    problem: `is ${source.buildNumber}, but ${signed.buildNumber} was published and signed`,
    remedy: "history never changes: restore the file",
  };
}

type OncePublished = PublishedSource | WithdrawnSource;

export function findNeverSigned(
  catalog: Catalog,
  manifest: Pick<ManifestPayload, "releases">,
): string[] {
  const signed = new Set(manifest.releases.map(({ version }) => version));
  return catalog.releases
    .filter((release) => isPublished(release) && !signed.has(release.version))
    .map(({ version }) => version)
    .filter((version) => !isArchived(catalog, version));
}

function findUnsigned(catalog: Catalog, manifest: SignedContent): string[] {
  const withdrawn = new Map(manifest.withdrawn.map((entry) => [entry.version, entry]));
  const { revoked = [] } = catalog.settings.signing;
  const versions = withdrawnReleases(catalog.releases)
    .filter((entry) => !sameJson(entry, withdrawn.get(entry.version)))
    .map(({ version }) => version)
    // Of those that the manifest does not name, the digest of the archive tells whether they are signed.
    .filter((version) => withdrawn.has(version) || !isArchived(catalog, version));
  const keys = revoked.filter((keyId) => manifest.revokedKeys?.includes(keyId) !== true);
  return [
    ...versions,
    ...findUnsignedRollouts(catalog, manifest).map((version) => `the rollout of ${version}`),
    ...keys.map((keyId) => `key ${keyId}`),
  ];
}

function findUnsignedRollouts(
  { settings, releases }: Catalog,
  { rollouts: signed = [] }: SignedContent,
): string[] {
  const current = rolloutsToSign(releases, settings.rollouts ?? []);
  return releases
    .filter(isPublished)
    .map(({ version }) => version)
    .filter((version) => percentOf(current, version) !== percentOf(signed, version));
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObjectOrArray(a) || !isObjectOrArray(b) || Array.isArray(a) !== Array.isArray(b))
    return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name) || !sameJson(a[name], b[name])) return false;
  }
  return true;
}

/** The path of the first member that differs. */
function firstDifference(a: unknown, b: unknown, path = ""): string {
  if (!isObjectOrArray(a) || !isObjectOrArray(b) || Array.isArray(a) !== Array.isArray(b))
    return path;
  const name = Object.keys({ ...a, ...b }).find((key) => !sameJson(a[key], b[key]));
  if (name === undefined) return path;
  const step = Array.isArray(a) ? `[${name}]` : path === "" ? name : `.${name}`;
  return firstDifference(a[name], b[name], path + step);
}

function isObjectOrArray(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
