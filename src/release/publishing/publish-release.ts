/** Publishes a draft and signs the new manifest, in one atomic step. */
import { parseDateTime } from "../../contract/date-time.ts";
import type {
  DraftRelease,
  PublishedSource,
  SourceArtifact,
} from "../../contract/release/catalog.ts";
import {
  formatMissing,
  missingTargets,
  wasPublished,
  type Catalog,
} from "../../rules/release/catalog.ts";
import { CATALOG_FILE } from "../../rules/release/catalog-files.ts";
import { checkOwnFiles } from "../../rules/release/check-own-files.ts";
import type { ChannelOffers } from "../../rules/release/rollouts.ts";
import {
  errorsWith,
  formatJson,
  hasHistory,
  noTimeError,
  publishingError,
  readForChange,
  withRelease,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
} from "./change-catalog.ts";
import { findDraft } from "./change-draft.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import { offersOf, withRolloutSet } from "./set-rollout.ts";
import {
  changeSigned,
  lostManifestError,
  signRelease,
  type SigningSummary,
} from "./sign-manifest.ts";

export interface PublicationResult {
  readonly release: PublishedSource;
  readonly keyId: string;
  readonly manifest: SigningSummary;
  /** What the channel offers from now on. */
  readonly offers: ChannelOffers<PublishedSource>;
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

export interface Publication {
  readonly version: string;
  readonly at: string | undefined;
  readonly rollout: number | undefined;
  /** Files may say another version or build than that of the release. */
  readonly allowsMismatch: boolean;
}

export interface PublicationPlan {
  readonly kind: "planned";
  readonly release: PublishedSource;
  /** The catalogue as it is now, with the rollout. */
  readonly next: Catalog;
  readonly offers: ChannelOffers<PublishedSource>;
  readonly warnings: readonly string[];
}

/** What a publication would do, or why it is impossible. */
export async function previewPublication(
  context: Pick<CatalogContext, "folder" | "now">,
  publication: Publication,
): Promise<PublicationPlan | PublishingError> {
  const state = await readForChange(context);
  return state.kind === "refused" ? state : planPublication(state, publication);
}

function decidePublication(
  state: CatalogState,
  publication: Publication,
  key: SigningKey,
): Decision<PublicationResult> {
  const plan = planPublication(state, publication);
  if (plan.kind === "refused") return plan;
  const { release, next, offers } = plan;
  return signRelease(
    { ...state, catalog: next },
    release,
    key,
    (signed) => ({ release, keyId: key.keyId, manifest: signed, offers }),
    publication.rollout === undefined
      ? []
      : [{ file: CATALOG_FILE, content: formatJson(next.settings) }],
  );
}

function planPublication(
  { catalog, manifest, now }: CatalogState,
  { version, at, rollout, allowsMismatch }: Publication,
): PublicationPlan | PublishingError {
  if (at !== undefined && parseDateTime(at) === null) return noTimeError(at);
  const found = findDraft(catalog, version, (status) =>
    status === "published"
      ? `Release ${version} is already published; a published release never changes`
      : `Release ${version} was withdrawn and does not return: publish a new version`,
  );
  if (found.kind === "refused") return found;
  const { draft } = found;
  const publishedAt = at ?? new Date(now).toISOString();
  const error =
    checkComplete(catalog, draft) ??
    checkTime(catalog, publishedAt, now) ??
    (manifest === null && hasHistory(catalog) ? lostManifestError() : null);
  if (error !== null) return error;
  const own = checkOwnFiles(draft, catalog.releases, allowsMismatch);
  const release = toPublished(draft, publishedAt);
  const published = withRelease(catalog, release);
  const settings =
    rollout === undefined
      ? catalog.settings
      : withRolloutSet(published, { version, percent: rollout });
  const next = { ...catalog, settings };
  const errors = [...own.errors, ...errorsWith(next, release)];
  if (errors.length > 0) return publishingError(`Release ${version} cannot be published`, errors);
  const offers = offersOf({ ...published, settings }, release.channel);
  return { kind: "planned", release, next, offers, warnings: own.warnings };
}

function checkComplete({ settings }: Catalog, draft: DraftRelease): PublishingError | null {
  const missing = missingTargets(settings.targets, draft);
  if (missing.length === 0) return null;
  return publishingError(
    `Release ${draft.version} has no artifact for ${missing.map(formatMissing).join(", ")}: add it with \`trellis release add-artifact\`, or remove the target from catalog.json`,
  );
}

/** The clocks of two machines may differ by this much. */
const CLOCK_TOLERANCE_MS = 60_000;

function checkTime(
  { releases }: Catalog,
  publishedAt: string,
  now: number,
): PublishingError | null {
  const time = parseDateTime(publishedAt) ?? 0;
  if (time > now + CLOCK_TOLERANCE_MS) {
    return publishingError(
      `${publishedAt} is in the future: a release is visible as soon as it is published, so run the command then`,
    );
  }
  const later = releases
    .filter(wasPublished)
    .find((release) => (parseDateTime(release.publishedAt) ?? 0) >= time);
  if (later === undefined) return null;
  return publishingError(
    `${publishedAt} is not after the publication of ${later.version} (${later.publishedAt}): check --at and this machine's clock`,
  );
}

function toPublished(draft: DraftRelease, publishedAt: string): PublishedSource {
  // The rules find what a draft may still lack, and name its path.
  const source = draft as unknown as PublishedSource;
  const artifacts = draft.artifacts.map(
    ({ detected: _detected, ...artifact }) => artifact as SourceArtifact,
  );
  return { ...source, status: "published", publishedAt, artifacts };
}
