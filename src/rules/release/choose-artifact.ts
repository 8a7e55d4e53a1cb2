import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { DEFAULT_ARCHITECTURES, type DistributionPlatform } from "../../contract/release/values.ts";

/** Whether a person or an app can install it: only the Play store can install a bundle for it. */
export function isDirect({ distribution }: Pick<ReleaseArtifact, "distribution">): boolean {
  return distribution !== "play";
}

/** Chooses the first match in catalogue order: the direct download comes before the store bundle. */
export function chooseArtifact(
  artifacts: readonly ReleaseArtifact[],
  platform: DistributionPlatform,
  architecture: string = DEFAULT_ARCHITECTURES[platform],
): ReleaseArtifact | undefined {
  return artifacts.find(
    (artifact) => artifact.platform === platform && artifact.architecture === architecture,
  );
}
