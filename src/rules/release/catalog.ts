/** A catalogue whose every file was found valid, and the questions asked of it. */
import type {
  CatalogFile,
  CatalogTarget,
  DraftRelease,
  KeyRing,
  PublishedSource,
  Release,
  SourceRelease,
  WithdrawnRelease,
  WithdrawnSource,
} from "../../contract/release/types.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";

export interface Catalog<R extends ReleaseRecord = SourceRelease> {
  readonly settings: CatalogFile;
  readonly keys: KeyRing;
  /** Drafts and withdrawn ones included; newest build first. */
  readonly releases: readonly R[];
}

/** As much of a release as the rules between releases ask for: a long history need not be held whole. */
export type ReleaseRecord =
  | Pick<DraftRelease, Coordinates>
  | Pick<PublishedSource, Coordinates | "publishedAt">
  | Pick<WithdrawnSource, Coordinates | "publishedAt" | "withdrawal">;

type Coordinates = "version" | "buildNumber" | "channel" | "status";

export function isPublished<R extends ReleaseRecord>(
  release: R,
): release is Extract<R, { readonly status: "published" }> {
  return release.status === "published";
}

export function isWithdrawn<R extends ReleaseRecord>(
  release: R,
): release is Extract<R, { readonly status: "withdrawn" }> {
  return release.status === "withdrawn";
}

/** Published once, whatever became of it. */
export function isSettled<R extends ReleaseRecord>(
  release: R,
): release is Exclude<R, { readonly status: "draft" }> {
  return release.status !== "draft";
}

/** What the world may see, newest build first. */
export function publishedReleases(catalog: Catalog): Release[] {
  return catalog.releases.filter(isPublished).map(toPublicRelease);
}

export function withdrawnReleases(catalog: Catalog<ReleaseRecord>): WithdrawnRelease[] {
  return catalog.releases.filter(isWithdrawn).map(({ version, buildNumber, withdrawal }) => ({
    version,
    buildNumber,
    reason: withdrawal.reason,
    ...(withdrawal.replacedBy !== undefined && { replacedBy: withdrawal.replacedBy }),
  }));
}

/** The newest of a channel; the list is newest build first. */
export function latestOf<T extends { readonly channel: ReleaseChannel }>(
  releases: readonly T[],
  channel: ReleaseChannel,
): T | undefined {
  return releases.find((release) => release.channel === channel);
}

/** Which of the declared targets a release has no artifact for. */
export function missingTargets(
  targets: readonly CatalogTarget[],
  release: DraftRelease | PublishedSource,
): CatalogTarget[] {
  return targets.filter(
    (target) =>
      !release.artifacts.some(
        (artifact) =>
          artifact.platform === target.platform && artifact.architecture === target.architecture,
      ),
  );
}

/**
 * What was or is visible of a release, with the members in the contract's order, so that every
 * answer and every manifest reads alike.
 */
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
    artifacts: source.artifacts,
  };
}
