/** What an update client does, given the signed manifest: nothing else may change it. */
import type {
  ManifestPayload,
  Release,
  ReleaseArtifact,
  UpdateCoordinate,
  WithdrawnRelease,
} from "../../contract/release/schemas.ts";
import type { DistributionPlatform, ReleaseChannel } from "../../contract/release/values.ts";
import { chooseArtifact, isDirect } from "./choose-artifact.ts";
import { decideUpdate } from "./decide-update.ts";
import { packageKindOf, type PackageKind } from "./package-kinds.ts";
import { chooseOffer, findOffers } from "./rollouts.ts";
import { compareVersions } from "./version.ts";

export interface Installation {
  readonly channel: ReleaseChannel;
  readonly platform: DistributionPlatform;
  readonly architecture: string;
  /** What it was installed as; null when it does not say, and then the first file of its system is its own. */
  readonly package: PackageKind | null;
  readonly current: UpdateCoordinate;
}

/** Facts about the release that an installation should update to. */
export interface UpdateFacts {
  /** The release to offer. */
  readonly release: Release;
  /** The signed digest of what the release publishes about its files; null when the manifest has none. */
  readonly filesSha256: string | null;
  /** The release's deadline has passed. */
  readonly mandatory: boolean;
  /** The running version is older than the oldest one that the release supports. */
  readonly unsupported: boolean;
  /** Why the running version was withdrawn, or null when it was not. */
  readonly withdrawn: WithdrawnRelease | null;
}

/** What a verified manifest means for this copy of the app. */
export type UpdateStatus =
  /** The channel offers this installation nothing newer; `latest` is what it does offer. */
  | { readonly kind: "up-to-date"; readonly latest: Release | null }
  | ({ readonly kind: "update-available"; readonly artifact: ReleaseArtifact } & UpdateFacts)
  /** An update without an artifact for this platform, architecture and kind of package. */
  | ({ readonly kind: "no-artifact" } & UpdateFacts)
  /** The running version was withdrawn, and the channel offers this installation no newer one. */
  | {
      readonly kind: "withdrawn";
      readonly withdrawn: WithdrawnRelease;
      readonly latest: Release | null;
    }
  /** The channel's latest is newer by build but older by version, or the reverse. */
  | {
      readonly kind: "would-downgrade";
      readonly latest: Release;
      readonly withdrawn: WithdrawnRelease | null;
    };

export function evaluateUpdate(
  manifest: Pick<ManifestPayload, "releases" | "withdrawn" | "rollouts" | "files">,
  { channel, platform, architecture, package: kind, current }: Installation,
  /** The bucket of this installation, from 1 to 100, which decides the shares that it is in. */
  bucket: number,
  now: number,
): UpdateStatus {
  const withdrawn = manifest.withdrawn.find(({ version }) => version === current.version) ?? null;
  // A client stays in its channel: a beta app gets the newest beta, never a newer stable.
  const offers = findOffers(manifest.releases, manifest.rollouts ?? [], channel);
  const { release: latest } = chooseOffer(offers, bucket, current);
  const decision = latest === null ? null : decideUpdate(current, latest, now);
  if (latest === null || !decision?.updateAvailable) {
    return withdrawn === null
      ? { kind: "up-to-date", latest }
      : { kind: "withdrawn", withdrawn, latest };
  }
  // A higher version or a higher build makes an update available (decision rule 1). Where the two
  // disagree, as after a change from beta to stable, installing would be a downgrade.
  if (isOlder(latest, current)) return { kind: "would-downgrade", latest, withdrawn };
  const unsupported = compareVersions(current.version, latest.minimumSupportedVersion) < 0;
  const files = manifest.files?.find(({ version }) => version === latest.version);
  const filesSha256 = files?.sha256 ?? null;
  const { mandatory } = decision;
  const facts = { release: latest, filesSha256, mandatory, unsupported, withdrawn };
  // A copy must never install a package of another kind over its own.
  const fits = (artifact: ReleaseArtifact) =>
    isDirect(artifact) && (kind === null || packageKindOf(artifact.fileName) === kind);
  const artifact = chooseArtifact(latest.artifacts.filter(fits), platform, architecture);
  return artifact === undefined
    ? { kind: "no-artifact", ...facts }
    : { kind: "update-available", artifact, ...facts };
}

function isOlder(target: UpdateCoordinate, current: UpdateCoordinate): boolean {
  return (
    target.buildNumber < current.buildNumber || compareVersions(target.version, current.version) < 0
  );
}
