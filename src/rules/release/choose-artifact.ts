/** Which file of a release a client gets. */
import type { ReleaseArtifact } from "../../contract/release/types.ts";
import { DEFAULT_ARCHITECTURES, type DistributionPlatform } from "../../contract/release/values.ts";

/** The first artifact in catalogue order wins: the direct download stands before the store bundle. */
export function chooseArtifact(
  artifacts: readonly ReleaseArtifact[],
  platform: DistributionPlatform,
  architecture: string = DEFAULT_ARCHITECTURES[platform],
): ReleaseArtifact | undefined {
  return artifacts.find(
    (artifact) => artifact.platform === platform && artifact.architecture === architecture,
  );
}
