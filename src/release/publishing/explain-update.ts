/** What a client learns about updates, and the rules that led to it. */
import type { UpdateCoordinate, UpdateDecision } from "../../contract/release/schemas.ts";
import {
  DEFAULT_ARCHITECTURES,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { latestOf, publishedReleases } from "../../rules/release/catalog.ts";
import { chooseArtifact } from "../../rules/release/choose-artifact.ts";
import {
  decideUpdate,
  toUpdateDecision,
  type UpdateRule,
} from "../../rules/release/decide-update.ts";
import { evaluateUpdate, type UpdateStatus } from "../../rules/release/evaluate-update.ts";
import type { PackageKind } from "../../rules/release/package-kinds.ts";
import {
  chooseOffer,
  findOffers,
  type ChannelOffers,
  type OfferRule,
} from "../../rules/release/rollouts.ts";
import { checkExpiry } from "../../rules/release/verify-manifest.ts";
import {
  hasHistory,
  publishingError,
  readForChange,
  type CatalogContext,
  type PublishingError,
} from "./change-catalog.ts";
import { lostManifestError } from "./sign-manifest.ts";

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

/** The update decision of the service. */
export async function explainDecision(
  context: Pick<CatalogContext, "folder" | "reader" | "now">,
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

function explainRule(
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

/** What the update client of an installation knows and the service does not. */
export interface ClientFacts {
  readonly bucket: number;
  readonly package: PackageKind | null;
}

export interface ExplainedClient {
  readonly kind: "explained";
  readonly status: UpdateStatus;
  readonly rules: readonly (OfferRule | UpdateRule)[];
  readonly reasons: readonly string[];
  /** Changes of the catalogue that clients do not see yet, for example. */
  readonly warnings: readonly string[];
}

/** What the update client of an installation would do about the signed manifest. */
export async function explainClient(
  context: Pick<CatalogContext, "folder" | "reader" | "now">,
  { platform, current, channel, at }: DecisionRequest,
  { bucket, package: kind }: ClientFacts,
): Promise<ExplainedClient | PublishingError> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  if (state.manifest === null) {
    return hasHistory(state.catalog)
      ? lostManifestError()
      : publishingError("Nothing is published yet: clients are offered nothing");
  }
  const { payload } = state.manifest;
  if (checkExpiry(payload, at) !== null) {
    return publishingError(
      `The manifest expires at ${payload.expiresAt}: from then on a client cannot confirm that it is up to date, and offers nothing`,
    );
  }
  const installation = {
    channel,
    platform,
    architecture: DEFAULT_ARCHITECTURES[platform],
    package: kind,
    current,
  };
  const offers = findOffers(payload.releases, payload.rollouts ?? [], channel);
  const offer = chooseOffer(offers, bucket, current);
  const rules = offer.release === null ? [] : decideUpdate(current, offer.release, at).rules;
  const reasons = explainOffer(offer.rule, offers, bucket);
  for (const rule of rules) {
    if (offer.release !== null) reasons.push(explainRule(rule, current, offer.release));
  }
  return {
    kind: "explained",
    status: evaluateUpdate(payload, installation, bucket, at),
    rules: [offer.rule, ...rules],
    reasons,
    warnings: state.warnings,
  };
}

function explainOffer(
  rule: OfferRule,
  { staged, everybody }: ChannelOffers<UpdateCoordinate>,
  bucket: number,
): string[] {
  const fallback =
    everybody === null
      ? "No release of the channel is offered to everyone"
      : `${everybody.version} (build ${everybody.buildNumber}) is the newest release that is offered to everyone`;
  if (staged === null || rule === "everybody") return [fallback];
  const { release, percent } = staged;
  switch (rule) {
    case "in-share":
      return [`The rollout of ${release.version} reaches buckets 1 to ${percent}, with ${bucket}`];
    case "outside-share":
      return [
        `The rollout of ${release.version} reaches buckets 1 to ${percent}, without ${bucket}`,
        fallback,
      ];
    case "stopped":
      return [`The rollout of ${release.version} is stopped: no bucket is offered it`, fallback];
    case "installed":
      return [`The client has ${release.version} already, so its rollout does not matter`];
  }
}
