/** What the update client of an installation would do about the signed manifest, and why. */
import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import { DEFAULT_ARCHITECTURES } from "../../contract/release/values.ts";
import { decideUpdate, type UpdateRule } from "../../rules/release/decide-update.ts";
import { evaluateUpdate, type UpdateStatus } from "../../rules/release/evaluate-update.ts";
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
import { explainRule, type DecisionRequest } from "./explain-decision.ts";
import { lostManifestError } from "./sign-manifest.ts";

export interface ExplainedClient {
  readonly kind: "explained";
  readonly status: UpdateStatus;
  readonly rules: readonly (OfferRule | UpdateRule)[];
  readonly reasons: readonly string[];
  /** Changes of the catalogue that clients do not see yet, for example. */
  readonly warnings: readonly string[];
}

export async function explainClient(
  context: Pick<CatalogContext, "folder" | "now">,
  { platform, current, channel, at }: DecisionRequest,
  bucket: number,
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
      ? "No release of the channel is out for everybody"
      : `${everybody.version} (build ${everybody.buildNumber}) is the newest release that is out for everybody`;
  if (staged === null || rule === "everybody") return [fallback];
  const { release, percent } = staged;
  switch (rule) {
    case "in-share":
      return [
        `The rollout of ${release.version} reaches buckets 1 to ${percent}: ${bucket} is one`,
      ];
    case "outside-share":
      return [
        `The rollout of ${release.version} reaches buckets 1 to ${percent}: ${bucket} is none of them`,
        fallback,
      ];
    case "stopped":
      return [`The rollout of ${release.version} is stopped: no bucket is offered it`, fallback];
    case "installed":
      return [`The client has ${release.version} already, so its rollout does not matter`];
  }
}
