/** Publishes a draft and signs the new manifest, in one atomic step. */
import type { PublishedSource } from "../../contract/release/catalog.ts";
import type { ChannelOffers } from "../../rules/release/rollouts.ts";
import {
  publishingError,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import { planPublication, type Publication } from "./plan-publication.ts";
import { publishDue, type DueReleases } from "./scheduled-releases.ts";
import { changeSigned, signRelease, type SigningSummary } from "./sign-manifest.ts";

export interface PublicationResult {
  readonly release: PublishedSource;
  readonly keyId: string;
  readonly manifest: SigningSummary;
  /** What the channel offers from now on. */
  readonly offers: ChannelOffers<PublishedSource>;
  /** The scheduled releases whose time has come meanwhile. */
  readonly due: Pick<DueReleases, "published" | "skipped">;
}

export async function publishRelease(
  context: CatalogContext,
  version: string,
  at: string | undefined,
  askPassphrase: PassphraseSource,
  /** The percent of the installations that are offered it; absent: it is out for everybody. */
  rollout?: number,
  allowsMismatch = false,
): Promise<ChangeResult<PublicationResult>> {
  return changeSigned(context, askPassphrase, (state, key) =>
    decidePublication(state, { version, at, rollout, allowsMismatch }, key),
  );
}

function decidePublication(
  before: CatalogState,
  publication: Publication,
  key: SigningKey,
): Decision<PublicationResult> {
  const due = publishDue(before, publication.version);
  const state = { ...before, catalog: due.catalog };
  const plan = planPublication(state, publication);
  if (plan.kind === "refused") return plan;
  const { release, next, offers, isScheduled } = plan;
  if (isScheduled) {
    return publishingError(`${release.publishedAt} is in the future: schedule the release for it`);
  }
  return signRelease(
    { ...state, catalog: next },
    release,
    key,
    (signed) => ({ release, keyId: key.keyId, manifest: signed, offers, due }),
    due.changesWith(next.settings),
  );
}
