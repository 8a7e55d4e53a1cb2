/** Withdraws a release. The catalogue keeps it, and the manifest says why. */
import type { PublishedSource, WithdrawnSource } from "../../contract/release/catalog.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import type { ChannelOffers } from "../../rules/release/rollouts.ts";
import {
  errorsWith,
  findRelease,
  publishingError,
  readForChange,
  unknownReleaseError,
  withRelease,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";
import type { PassphraseSource } from "./key-files.ts";
import { offersOf } from "./set-rollout.ts";
import {
  changeSigned,
  lostManifestError,
  signRelease,
  type SigningSummary,
} from "./sign-manifest.ts";
import { inspectSigningKey } from "./signing-key.ts";

export interface WithdrawalRequest {
  readonly version: string;
  readonly reason: string;
  readonly replacedBy?: string | undefined;
}

interface Withdrawal {
  readonly release: WithdrawnSource;
  /** The release that the channel offers from now on; null when it was the last one. */
  readonly latest: PublishedSource | null;
  /** Who is offered which release: the release before may have been rolled out by share. */
  readonly offers: ChannelOffers<PublishedSource>;
}

export interface PlannedWithdrawal extends Withdrawal {
  readonly kind: "planned";
  readonly manifest: { readonly keyId: string; readonly sequence: number };
}

export async function planWithdrawal(
  context: CatalogContext,
  request: WithdrawalRequest,
): Promise<PlannedWithdrawal | PublishingError> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const plan = planInState(state, request);
  if (plan.kind === "refused") return plan;
  const key = await inspectSigningKey(context, state.catalog, plan.manifest.keyId);
  return key.kind === "refused" ? key : plan;
}

export async function withdrawRelease(
  context: CatalogContext,
  request: WithdrawalRequest,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<Withdrawal & { readonly manifest: SigningSummary }>> {
  return changeSigned(context, askPassphrase, (state, key) => {
    const plan = planInState(state, request);
    if (plan.kind === "refused") return plan;
    const { release, latest, offers } = plan;
    const toResult = (manifest: SigningSummary) => ({ release, latest, offers, manifest });
    return signRelease(state, release, key, toResult, [], false);
  });
}

function planInState(
  { catalog, manifest, now }: CatalogState,
  { version, reason, replacedBy }: WithdrawalRequest,
): PlannedWithdrawal | PublishingError {
  if (reason.trim() === "") {
    return publishingError("The reason is empty: give one, because users see it");
  }
  const release = findRelease(catalog, version);
  if (release === undefined) return unknownReleaseError(catalog, version, "published");
  if (!isPublished(release)) {
    return publishingError(
      release.status === "draft"
        ? `Release ${version} is a draft and was never published: \`trellis release discard ${version}\` removes it`
        : `Release ${version} is already withdrawn`,
    );
  }
  const others = catalog.releases.filter(isPublished).filter((other) => other !== release);
  const latest = latestOf(others, release.channel) ?? null;
  const error = checkSuccessor(catalog, release, latest, others, replacedBy);
  if (error !== null) return error;
  if (manifest === null) return lostManifestError();
  const withdrawn: WithdrawnSource = {
    ...release,
    status: "withdrawn",
    withdrawal: {
      at: new Date(now).toISOString(),
      reason,
      ...(replacedBy !== undefined && { replacedBy }),
    },
  };
  const errors = errorsWith(catalog, withdrawn);
  if (errors.length > 0) return publishingError(`Release ${version} cannot be withdrawn`, errors);
  return {
    kind: "planned",
    release: withdrawn,
    latest,
    offers: offersOf(withRelease(catalog, withdrawn), release.channel),
    manifest: {
      keyId: catalog.settings.signing.active,
      sequence: manifest.payload.sequence + 1,
    },
  };
}

function checkSuccessor(
  catalog: Catalog,
  release: PublishedSource,
  latest: PublishedSource | null,
  others: readonly PublishedSource[],
  replacedBy: string | undefined,
): PublishingError | null {
  const isNewest = latestOf(catalog.releases.filter(isPublished), release.channel) === release;
  if (replacedBy === undefined) {
    return isNewest && latest !== null
      ? publishingError(
          `Release ${release.version} is the newest of the channel "${release.channel}": name its replacement with --replaced-by ${latest.version}, or publish a fixed version first`,
        )
      : null;
  }
  const successor = others.find((other) => other.version === replacedBy);
  if (successor === undefined) {
    return publishingError(`--replaced-by ${replacedBy} is not another published release`);
  }
  // The last release of a channel may be replaced by one of the other channel, or by none.
  if (isNewest && latest !== null && successor.channel !== release.channel) {
    return publishingError(
      `--replaced-by ${replacedBy} is of the channel "${successor.channel}": name a release of "${release.channel}" such as ${latest.version}`,
    );
  }
  return null;
}
