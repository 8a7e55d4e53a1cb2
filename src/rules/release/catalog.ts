/** A valid catalogue, and what is derived from it. */
import {
  updaterMembers,
  type ArchiveEntry,
  type ArchiveHeader,
  type CatalogFile,
  type CatalogTarget,
  type DraftRelease,
  type KeyRing,
  type PublishedSource,
  type SourceArtifact,
  type SourceRelease,
  type WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { Release, ReleaseArtifact, WithdrawnRelease } from "../../contract/release/schemas.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { isDirect } from "./choose-artifact.ts";

export interface Catalog {
  readonly settings: CatalogFile;
  readonly keys: KeyRing;
  /** The releases include drafts and withdrawn ones; newest build first. */
  readonly releases: readonly SourceRelease[];
  /** Absent while no release was moved to the archive. */
  readonly archive?: CatalogArchive;
}

/** The stored form of the releases that were moved to the archive; they are among `releases`, too. */
export interface CatalogArchive {
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
  readonly header: ArchiveHeader;
  /** The length of the file in bytes. */
  readonly size: number;
  /** Only the digest of the whole archive tells whether the text was signed. Throws when there is none. */
  readRelease(entry: ArchiveEntry): ArchiveLine["releaseText"];
  /** Throws when what the release publishes about its files is not what was signed. */
  readLine(entry: ArchiveEntry): ArchiveLine;
  /** The releases with files of these SHA-256 digests, and of those sought before: a withdrawn one, or the newest. */
  findOwners(digests: Iterable<string>): ReadonlyMap<string, ArchiveEntry>;
}

/** Canonical texts (RFC 8785). */
export interface ArchiveLine {
  /** The release as the API shows it. */
  readonly releaseText: Uint8Array<ArrayBuffer>;
  /** What it publishes about its files. */
  readonly filesText: Uint8Array<ArrayBuffer>;
}

export function isArchived({ archive }: Pick<Catalog, "archive">, version: string): boolean {
  return archive?.entries.has(version) === true;
}

/** The keys that apps shall pin: those that were not revoked. */
export function trustedKeys({ settings, keys }: Pick<Catalog, "settings" | "keys">): KeyRing {
  const { revoked = [] } = settings.signing;
  return Object.fromEntries(Object.entries(keys).filter(([keyId]) => !revoked.includes(keyId)));
}

export function isPublished(release: SourceRelease): release is PublishedSource {
  return release.status === "published";
}

export function isWithdrawn(release: SourceRelease): release is WithdrawnSource {
  return release.status === "withdrawn";
}

/** A release that was withdrawn later was published too. */
export function wasPublished(release: SourceRelease): release is PublishedSource | WithdrawnSource {
  return release.status !== "draft";
}

/** Lists the newest build first. */
export function publishedReleases(catalog: Catalog): Release[] {
  return catalog.releases.filter(isPublished).map(toPublicRelease);
}

export function withdrawnReleases(releases: readonly SourceRelease[]): WithdrawnRelease[] {
  return releases.filter(isWithdrawn).map(toPublicWithdrawal);
}

export function toPublicWithdrawal({
  version,
  buildNumber,
  withdrawal: { reason, replacedBy },
}: Pick<WithdrawnSource, "version" | "buildNumber" | "withdrawal">): WithdrawnRelease {
  return { version, buildNumber, reason, ...(replacedBy !== undefined && { replacedBy }) };
}

/** The newest of a channel; the list is newest build first. */
export function latestOf<T extends { readonly channel: ReleaseChannel }>(
  releases: readonly T[],
  channel: ReleaseChannel,
): T | undefined {
  return releases.find((release) => release.channel === channel);
}

export function forEachChannel<T>(
  derive: (channel: ReleaseChannel) => T,
): Record<ReleaseChannel, T> {
  return { stable: derive("stable"), beta: derive("beta") };
}

/** Finds the declared targets for which a release has no artifact that can be downloaded and installed. */
export function missingTargets(
  targets: readonly CatalogTarget[],
  release: DraftRelease | PublishedSource,
): MissingTarget[] {
  return targets.flatMap((target) => {
    const artifacts = release.artifacts.filter(
      ({ platform, architecture }) =>
        platform === target.platform && architecture === target.architecture,
    );
    if (artifacts.some(isDirect)) return [];
    return [{ ...target, isInStore: artifacts.length > 0 }];
  });
}

export interface MissingTarget extends CatalogTarget {
  /** Whether the target has an artifact, which only a store can install. */
  readonly isInStore: boolean;
}

export function formatMissing({ platform, architecture, isInStore }: MissingTarget): string {
  return `${platform}/${architecture}${isInStore ? " (direct)" : ""}`;
}

/** The systems that there are files for, such as linux/x64. */
export function platformsOf(
  artifacts: readonly Pick<SourceArtifact, "platform" | "architecture">[],
): string[] {
  return [...new Set(artifacts.map((file) => `${file.platform}/${file.architecture}`))];
}

/** The members are in the contract's order, so that responses and manifests have the same text. */
export function toPublicRelease(source: PublishedSource | WithdrawnSource): Release {
  return {
    version: source.version,
    buildNumber: source.buildNumber,
    channel: source.channel,
    status: "published",
    publishedAt: source.publishedAt,
    minimumSupportedVersion: source.minimumSupportedVersion,
    mandatoryAfter: source.mandatoryAfter,
    notes: source.notes,
    ...(source.presentation !== undefined && { presentation: source.presentation }),
    ...(source.media !== undefined && { media: source.media }),
    artifacts: source.artifacts.map(toPublicArtifact),
  };
}

export function toPublicArtifact(source: SourceArtifact): ReleaseArtifact {
  const members = Object.entries(source).filter(([name]) => !Object.hasOwn(updaterMembers, name));
  return Object.fromEntries(members) as unknown as ReleaseArtifact;
}
