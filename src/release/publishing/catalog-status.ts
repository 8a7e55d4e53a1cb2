/** The status of a catalogue: what is published, when the manifest expires, which keys are here. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../contract/release/values.ts";
import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import {
  forEachChannel,
  isPublished,
  latestOf,
  type Catalog,
} from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import type { ChannelOffers } from "../../rules/release/rollouts.ts";
import { explainManifestSize } from "../../rules/release/manifest-size.ts";
import { findCoverage, type Coverage } from "../../rules/release/coverage/find-coverage.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import { readCatalog } from "../catalog/read-catalog.ts";
import { hasHistory } from "./change-catalog.ts";
import { describeOffers } from "./describe-offers.ts";
import { listKeys, type KeyOverview } from "./key-ring.ts";
import { offersOf } from "./set-rollout.ts";
import type { ManifestSummary } from "./sign-manifest.ts";
import { describeUpdaterKeys, type UpdaterKeyOverview } from "./updater-keys.ts";

export type CatalogStatus =
  | {
      readonly kind: "invalid";
      readonly folder: string;
      readonly errors: readonly CatalogFileError[];
    }
  | {
      readonly kind: "valid";
      readonly folder: string;
      readonly product: string;
      readonly channels: Readonly<Record<ReleaseChannel, ChannelStatus>>;
      readonly manifest: ManifestStatus | null;
      /** Whether anything was published, so that there must be a manifest. */
      readonly hasHistory: boolean;
      readonly keys: readonly KeyOverview[];
      readonly updaterKeys: readonly UpdaterKeyOverview[];
      /** Who gets the newest release of each channel. */
      readonly coverage: readonly Coverage[];
      readonly warnings: readonly string[];
    };

export interface ChannelStatus {
  readonly latest: UpdateCoordinate | null;
  readonly published: number;
  readonly drafts: number;
  readonly withdrawn: number;
  /** The rollout of the latest release, while it is not out for everybody. */
  readonly rollout: RolloutStatus | null;
}

export interface RolloutStatus {
  readonly percent: number;
  /** The newest release that is out for everybody. */
  readonly everybody: UpdateCoordinate | null;
  /** The rollout in plain words. */
  readonly summary: string;
}

export interface ManifestStatus extends ManifestSummary {
  readonly keyId: string;
  readonly secondsLeft: number;
  readonly isExpired: boolean;
  /** The length of the envelope, which every copy downloads. */
  readonly bytes: number;
  readonly releases: number;
  /** The number of releases in the archive. */
  readonly archived: number;
  /** What takes the place in a large manifest; null in others. */
  readonly largest: string | null;
}

export async function readCatalogStatus(
  folder: string,
  keysFolder: string,
  now: number,
  feeds: FeedSettings,
  read = readCatalog,
): Promise<CatalogStatus> {
  const result = await read(folder, now);
  if (result.kind === "invalid") return { kind: "invalid", folder, errors: result.errors };
  const { catalog, manifest, warnings } = result;
  return {
    kind: "valid",
    folder,
    product: catalog.settings.product,
    channels: forEachChannel((channel) => describeChannel(catalog, channel)),
    manifest: manifest && describeManifest(manifest, now),
    hasHistory: hasHistory(catalog),
    keys: listKeys(catalog, keysFolder),
    updaterKeys: describeUpdaterKeys(catalog.settings, keysFolder),
    coverage: RELEASE_CHANNELS.flatMap((channel) => {
      const newest = latestOf(catalog.releases.filter(isPublished), channel);
      return newest === undefined ? [] : [findCoverage(catalog, newest, feeds)];
    }),
    warnings,
  };
}

function describeChannel(catalog: Catalog, channel: ReleaseChannel): ChannelStatus {
  const own = catalog.releases.filter((release) => release.channel === channel);
  const latest = latestOf(own.filter(isPublished), channel);
  const count = (status: SourceRelease["status"]) =>
    own.filter((release) => release.status === status).length;
  return {
    latest: latest === undefined ? null : toCoordinate(latest),
    published: count("published"),
    drafts: count("draft"),
    withdrawn: count("withdrawn"),
    rollout: describeRollout(offersOf(catalog, channel)),
  };
}

function describeRollout(offers: ChannelOffers<UpdateCoordinate>): RolloutStatus | null {
  const { staged, everybody } = offers;
  if (staged === null) return null;
  return {
    percent: staged.percent,
    everybody: everybody && toCoordinate(everybody),
    summary: describeOffers(offers),
  };
}

function toCoordinate({ version, buildNumber }: UpdateCoordinate): UpdateCoordinate {
  return { version, buildNumber };
}

function describeManifest(
  { keyId, payload, envelope }: LoadedManifest,
  now: number,
): ManifestStatus {
  const { sequence, issuedAt, expiresAt } = payload;
  const left = (parseDateTime(expiresAt) ?? 0) - now;
  return {
    sequence,
    keyId,
    issuedAt,
    expiresAt,
    secondsLeft: Math.floor(left / 1000),
    isExpired: left <= 0,
    bytes: envelope.length,
    releases: payload.releases.length,
    archived: payload.archive?.releases ?? 0,
    largest: explainManifestSize(envelope.length, payload),
  };
}
