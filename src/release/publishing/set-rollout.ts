/** Says which share of the installations is offered the newest release, and signs it. */
import type { CatalogFile, PublishedSource } from "../../contract/release/catalog.ts";
import type { Rollout } from "../../contract/release/schemas.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE } from "../../rules/release/catalog-files.ts";
import {
  findOffers,
  mayFollow,
  withRollout,
  type ChannelOffers,
} from "../../rules/release/rollouts.ts";
import {
  findRelease,
  formatJson,
  publishingError,
  readForChange,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";
import type { PassphraseSource } from "./key-files.ts";
import {
  changeSigned,
  lostManifestError,
  signManifest,
  type SigningSummary,
} from "./sign-manifest.ts";

export interface RolloutPlan {
  readonly kind: "planned";
  readonly release: PublishedSource;
  /** Null when none was set before: then the release was out for everybody. */
  readonly before: number | null;
  readonly percent: number;
  readonly settings: CatalogFile;
  /** What the channel offers with the rollout. */
  readonly offers: ChannelOffers<PublishedSource>;
}

export interface RolloutResult {
  readonly plan: RolloutPlan;
  readonly keyId: string;
  readonly manifest: SigningSummary;
}

export async function setRollout(
  context: CatalogContext,
  rollout: Rollout,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<RolloutResult>> {
  // The rollout is checked before a person has to type the passphrase of a key.
  const preview = await previewRollout(context, rollout);
  if (preview.kind === "refused") return preview;
  return changeSigned(context, askPassphrase, (state, key) => {
    const plan = planRollout(state, rollout);
    if (plan.kind === "refused") return plan;
    const { settings } = plan;
    const { catalog, manifest, now } = state;
    const { changes, summary } = signManifest({ ...catalog, settings }, manifest, key, now);
    return {
      kind: "change",
      changes: [{ file: CATALOG_FILE, content: formatJson(settings) }, ...changes],
      result: { plan, keyId: key.keyId, manifest: summary },
    };
  });
}

export async function previewRollout(
  context: Pick<CatalogContext, "folder" | "reader" | "now">,
  rollout: Rollout,
): Promise<RolloutPlan | PublishingError> {
  const state = await readForChange(context);
  return state.kind === "refused" ? state : planRollout(state, rollout);
}

function planRollout(
  { catalog, manifest }: CatalogState,
  rollout: Rollout,
): RolloutPlan | PublishingError {
  const { version, percent } = rollout;
  const release = findNewest(catalog, version);
  if ("kind" in release) return release;
  const before = catalog.settings.rollouts?.find((item) => item.version === version)?.percent;
  if (before !== undefined && !mayFollow(before, percent)) {
    return publishingError(
      `The rollout of ${version} is at ${before} percent and only rises, because installations that were offered it may have it: give ${before} or more, or 0 to stop it`,
    );
  }
  if (manifest === null) return lostManifestError();
  const settings = withRolloutSet(catalog, rollout);
  const offers = offersOf({ ...catalog, settings }, release.channel);
  return { kind: "planned", release, before: before ?? null, percent, settings, offers };
}

/** The settings with a rollout set. Entries that can never matter again are dropped. */
export function withRolloutSet({ settings, releases }: Catalog, rollout: Rollout): CatalogFile {
  return { ...settings, rollouts: withRollout(releases, settings.rollouts ?? [], rollout) };
}

export function offersOf(
  { settings, releases }: Pick<Catalog, "settings" | "releases">,
  channel: ReleaseChannel,
): ChannelOffers<PublishedSource> {
  return findOffers(releases.filter(isPublished), settings.rollouts ?? [], channel);
}

function findNewest(catalog: Catalog, version: string): PublishedSource | PublishingError {
  const release = findRelease(catalog, version);
  if (release === undefined) {
    return publishingError(
      `There is no release ${version}: \`trellis release status\` shows the newest of each channel`,
    );
  }
  if (release.status === "draft") {
    return publishingError(
      `Release ${version} is a draft: publish it to a share with \`trellis release publish ${version} --rollout PERCENT\``,
    );
  }
  if (release.status === "withdrawn") {
    return publishingError(`Release ${version} was withdrawn, so no installation is offered it`);
  }
  const newest = latestOf(catalog.releases.filter(isPublished), release.channel);
  if (newest === undefined || newest === release) return release;
  return publishingError(
    `Only the newest release of a channel can be rolled out by share, and ${newest.version} (build ${newest.buildNumber}) is newer than ${version}: set the rollout of ${newest.version}, or withdraw that one with \`trellis release withdraw ${newest.version}\``,
  );
}
