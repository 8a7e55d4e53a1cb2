/** Whether a draft can be published at a time, and what its publication changes. */
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
import { checkOwnFiles, findFileOwners } from "../../rules/release/check-own-files.ts";
import type { ChannelOffers } from "../../rules/release/rollouts.ts";
import {
  errorsWith,
  hasHistory,
  noTimeError,
  publishingError,
  withRelease,
  type CatalogState,
  type PublishingError,
} from "./change-catalog.ts";
import { findDraft } from "./change-draft.ts";
import { offersOf, withRolloutSet } from "./set-rollout.ts";
import { lostManifestError } from "./sign-manifest.ts";

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
  /** The time is later than now: the draft waits for it. */
  readonly isScheduled: boolean;
  readonly warnings: readonly string[];
}

/** What a publication would do, or why it is impossible. */
export function planPublication(
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
    checkTime(catalog, publishedAt) ??
    (manifest === null && hasHistory(catalog) ? lostManifestError() : null);
  if (error !== null) return error;
  const own = checkOwnFiles(draft, findFileOwners(catalog, [draft]), allowsMismatch);
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
  const isScheduled = (parseDateTime(publishedAt) ?? 0) > now + CLOCK_TOLERANCE_MS;
  return { kind: "planned", release, next, offers, isScheduled, warnings: own.warnings };
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

function checkTime({ releases }: Catalog, publishedAt: string): PublishingError | null {
  const time = parseDateTime(publishedAt) ?? 0;
  // Builds grow with the time of publication.
  const later = releases.find(wasPublished);
  if (later === undefined || (parseDateTime(later.publishedAt) ?? 0) < time) return null;
  return publishingError(
    `${publishedAt} is not after the publication of ${later.version} (${later.publishedAt}): check --at and this machine's clock`,
  );
}

function toPublished(draft: DraftRelease, publishedAt: string): PublishedSource {
  // The rules find what a draft may still lack, and name its path.
  const { scheduled: _scheduled, ...content } = draft;
  const source = content as unknown as PublishedSource;
  const artifacts = draft.artifacts.map(
    ({ detected: _detected, ...artifact }) => artifact as SourceArtifact,
  );
  return { ...source, status: "published", publishedAt, artifacts };
}
