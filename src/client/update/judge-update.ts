/** What a verified manifest means for one installed app: data in, outcome out. */
import type {
  ManifestPayload,
  Release,
  ReleaseArtifact,
  UpdateCoordinate,
  WithdrawnRelease,
} from "../../contract/release/schemas.ts";
import type { DistributionPlatform, ReleaseChannel } from "../../contract/release/values.ts";
import { latestOf } from "../../rules/release/catalog.ts";
import { chooseArtifact } from "../../rules/release/choose-artifact.ts";
import { decideUpdate } from "../../rules/release/decide-update.ts";
import { compareVersions } from "../../rules/release/version.ts";

export interface Installation {
  readonly channel: ReleaseChannel;
  readonly platform: DistributionPlatform;
  readonly architecture: string;
  readonly current: UpdateCoordinate;
}

/** What is true of the release that an installation should move to. */
export interface UpdateFacts {
  readonly release: Release;
  /** The release's deadline has passed. */
  readonly mandatory: boolean;
  /** The running version is older than the oldest one that the release supports. */
  readonly unsupported: boolean;
  /** Why the running version was withdrawn, or null when it was not. */
  readonly withdrawn: WithdrawnRelease | null;
}

export type UpdateJudgement =
  /** Nothing newer is published in the channel. */
  | { readonly kind: "up-to-date"; readonly latest: Release | null }
  | ({ readonly kind: "update-available"; readonly artifact: ReleaseArtifact } & UpdateFacts)
  /** There is an update, but no file of it for this platform and architecture. */
  | ({ readonly kind: "no-artifact" } & UpdateFacts)
  /** The running version was withdrawn, and the channel has nothing newer to move to. */
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

export function judgeUpdate(
  manifest: Pick<ManifestPayload, "releases" | "withdrawn">,
  { channel, platform, architecture, current }: Installation,
  now: number,
): UpdateJudgement {
  const withdrawn = manifest.withdrawn.find(({ version }) => version === current.version) ?? null;
  // A client stays in its channel: a beta app gets the newest beta, never a newer stable.
  const latest = latestOf(manifest.releases, channel) ?? null;
  const verdict = latest === null ? null : decideUpdate(current, latest, now);
  if (latest === null || !verdict?.updateAvailable) {
    return withdrawn === null
      ? { kind: "up-to-date", latest }
      : { kind: "withdrawn", withdrawn, latest };
  }
  // Either coordinate makes an update available (decision rule 1). Where the two disagree, as after
  // a change from beta to stable, installing would take the app back.
  if (isOlder(latest, current)) return { kind: "would-downgrade", latest, withdrawn };
  const unsupported = compareVersions(current.version, latest.minimumSupportedVersion) < 0;
  const facts = { release: latest, mandatory: verdict.mandatory, unsupported, withdrawn };
  const artifact = chooseArtifact(latest.artifacts.filter(isInstallable), platform, architecture);
  return artifact === undefined
    ? { kind: "no-artifact", ...facts }
    : { kind: "update-available", artifact, ...facts };
}

function isOlder(target: UpdateCoordinate, current: UpdateCoordinate): boolean {
  return (
    target.buildNumber < current.buildNumber || compareVersions(target.version, current.version) < 0
  );
}

/** A store bundle is for the store; no app can install it itself. */
function isInstallable(artifact: ReleaseArtifact): boolean {
  return artifact.distribution !== "play";
}
