/** The values of the release contract without its schemas, so that clients stay small. */

export const RELEASE_CHANNELS = ["stable", "beta"] as const;
export const DISTRIBUTION_PLATFORMS = ["android", "windows", "linux", "macos"] as const;
export const ARTIFACT_PLATFORMS = [...DISTRIBUTION_PLATFORMS, "ios", "web"] as const;
export const DISTRIBUTIONS = ["direct", "play"] as const;
export const MEDIA_TYPES = ["image/avif", "image/jpeg", "image/png", "image/webp"] as const;

export type ReleaseChannel = (typeof RELEASE_CHANNELS)[number];
export type DistributionPlatform = (typeof DISTRIBUTION_PLATFORMS)[number];
export type ArtifactPlatform = (typeof ARTIFACT_PLATFORMS)[number];
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const DEFAULT_CHANNEL: ReleaseChannel = "stable";

/** The architectures of downloads whose request names none. */
export const DEFAULT_ARCHITECTURES: Readonly<Record<DistributionPlatform, string>> = {
  android: "universal",
  macos: "universal",
  windows: "x64",
  linux: "x64",
};

export const SEMVER_PATTERN = "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$";
export const SLUG_PATTERN = "^[a-z0-9][a-z0-9-]*$";
export const FILE_NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]+$";
export const KEY_ID_PATTERN = FILE_NAME_PATTERN;
export const SHA256_PATTERN = "^[a-f0-9]{64}$";
export const BASE64URL_PATTERN = "^[A-Za-z0-9_-]+$";
export const HTTPS_PATTERN = "^https://";

/** A bound keeps the number of cacheable pages finite; deep pages cost the server nothing. */
export const MAX_PAGE = 100_000;
export const MAX_PAGE_LIMIT = 100;
export const DEFAULT_PAGE_LIMIT = 20;
/** Five highlights fit on the screen of a phone. */
export const MAX_HIGHLIGHTS = 5;

export const MANIFEST_SCHEMA_VERSION = 1;
export const MANIFEST_ALGORITHM = "ed25519";
/** 64 MiB: manifests that were signed before there was an archive have every release. */
export const MAX_MANIFEST_BYTES = 67_108_864;
/** 8 MiB: what an update client reads of a manifest, unless its app says otherwise. */
export const MAX_ACCEPTED_MANIFEST_BYTES = 8_388_608;
/** 1 MiB: every installed copy downloads the manifest after each signing, also on a phone. */
export const MAX_SIGNED_MANIFEST_BYTES = 1_048_576;
/** 256 KiB: twenty releases with their notes make about 100 KB. */
export const LARGE_MANIFEST_BYTES = 262_144;
/** The newest releases that a manifest has, unless a copy can still act on an older one. */
export const MANIFEST_RELEASES = 20;
/** The last withdrawals that a manifest names. */
export const MANIFEST_WITHDRAWALS = 20;
/** 64 MiB: ten thousand releases make about 45 MB. */
export const MAX_ARCHIVE_BYTES = 67_108_864;
/** A stolen key can raise the sequence, but never to the end of the numbers. */
export const MAX_SEQUENCE_STEP = 1_000_000;
/** A year and a month: longer, and an attacker could hide new releases for as long. */
export const MAX_MANIFEST_LIFETIME_DAYS = 400;
/** The share of a release that every installation is offered. */
export const EVERYBODY_PERCENT = 100;
