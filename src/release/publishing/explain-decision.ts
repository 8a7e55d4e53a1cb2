/** The update decision that a client would get, and the rules that led to it. */
import type { UpdateCoordinate, UpdateDecision } from "../../contract/release/schemas.ts";
import type { DistributionPlatform, ReleaseChannel } from "../../contract/release/values.ts";
import { latestOf, publishedReleases } from "../../rules/release/catalog.ts";
import { chooseArtifact } from "../../rules/release/choose-artifact.ts";
import {
  decideUpdate,
  toUpdateDecision,
  type UpdateRule,
} from "../../rules/release/decide-update.ts";
import {
  readForChange,
  publishingError,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";

export interface DecisionRequest {
  readonly platform: DistributionPlatform;
  readonly current: UpdateCoordinate;
  readonly channel: ReleaseChannel;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface ExplainedDecision {
  readonly kind: "decided";
  readonly decision: UpdateDecision;
  readonly rules: readonly UpdateRule[];
  readonly reasons: readonly string[];
}

export async function explainDecision(
  context: Pick<CatalogContext, "folder" | "now">,
  { platform, current, channel, at }: DecisionRequest,
): Promise<ExplainedDecision | PublishingError> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const target = latestOf(publishedReleases(state.catalog), channel);
  if (target === undefined) {
    return publishingError(
      `The channel "${channel}" has no published release: the service responds 404 release_not_found`,
    );
  }
  const result = decideUpdate(current, target, at);
  const { rules } = result;
  const artifact = chooseArtifact(target.artifacts, platform);
  const reasons = rules.map((rule) => explainRule(rule, current, target));
  reasons.push(
    artifact === undefined
      ? `The release has no artifact for ${platform} and its default architecture: the download responds 404 artifact_not_found`
      : `The download leads to ${artifact.url}`,
  );
  return {
    kind: "decided",
    decision: toUpdateDecision(platform, current, target, result),
    rules,
    reasons,
  };
}

export function explainRule(
  rule: UpdateRule,
  current: UpdateCoordinate,
  target: UpdateCoordinate & { readonly mandatoryAfter: string | null },
): string {
  switch (rule) {
    case "up-to-date":
      return `Neither build ${target.buildNumber} nor version ${target.version} is newer than what the client has`;
    case "newer-build":
      return `Build ${target.buildNumber} is higher than the client's build ${current.buildNumber}`;
    case "newer-version":
      return `Version ${target.version} is newer than the client's ${current.version}`;
    case "deadline-passed":
      return `It is mandatory, because ${target.mandatoryAfter} has passed`;
    case "deadline-ahead":
      return `It becomes mandatory at ${target.mandatoryAfter}`;
  }
}
