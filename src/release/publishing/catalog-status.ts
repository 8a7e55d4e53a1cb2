/** The status of a catalogue: what is published, when the manifest expires, which keys are here. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { forEachChannel, isPublished, latestOf } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { readCatalog, type LoadedManifest } from "../catalog/read-catalog.ts";
import { hasHistory } from "./change-catalog.ts";
import { listKeys, type KeyOverview } from "./key-ring.ts";

export type CatalogStatus =
  | {
      readonly kind: "invalid";
      readonly folder: string;
      readonly faults: readonly CatalogFileError[];
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
      readonly warnings: readonly string[];
    };

export interface ChannelStatus {
  readonly latest: { readonly version: string; readonly buildNumber: number } | null;
  readonly published: number;
  readonly drafts: number;
  readonly withdrawn: number;
}

export interface ManifestStatus {
  readonly sequence: number;
  readonly keyId: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly secondsLeft: number;
  readonly isExpired: boolean;
}

export async function readCatalogStatus(
  folder: string,
  keysFolder: string,
  now: number,
): Promise<CatalogStatus> {
  const result = await readCatalog(folder, now);
  if (result.kind === "invalid") return { kind: "invalid", folder, faults: result.errors };
  const { catalog, manifest, warnings } = result;
  return {
    kind: "valid",
    folder,
    product: catalog.settings.product,
    channels: forEachChannel((channel) => describeChannel(catalog.releases, channel)),
    manifest: manifest && describeManifest(manifest, now),
    hasHistory: hasHistory(catalog),
    keys: listKeys(catalog, keysFolder),
    warnings,
  };
}

function describeChannel(
  releases: readonly SourceRelease[],
  channel: ReleaseChannel,
): ChannelStatus {
  const own = releases.filter((release) => release.channel === channel);
  const latest = latestOf(own.filter(isPublished), channel);
  const count = (status: SourceRelease["status"]) =>
    own.filter((release) => release.status === status).length;
  return {
    latest:
      latest === undefined ? null : { version: latest.version, buildNumber: latest.buildNumber },
    published: count("published"),
    drafts: count("draft"),
    withdrawn: count("withdrawn"),
  };
}

function describeManifest({ keyId, payload }: LoadedManifest, now: number): ManifestStatus {
  const { sequence, issuedAt, expiresAt } = payload;
  const left = (parseDateTime(expiresAt) ?? 0) - now;
  return {
    sequence,
    keyId,
    issuedAt,
    expiresAt,
    secondsLeft: Math.floor(left / 1000),
    isExpired: left <= 0,
  };
}
