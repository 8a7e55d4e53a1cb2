// Generated from the schemas by scripts/contract-types.ts; do not edit.

export type ErrorResponse = {
  error: {
    code:
      | "invalid_pagination"
      | "invalid_channel"
      | "invalid_update_request"
      | "not_found"
      | "release_not_found"
      | "platform_not_supported"
      | "artifact_not_found"
      | "manifest_unavailable"
      | "internal_error";
    /** For people; neither translated nor to be parsed */
    message: string;
    requestId: string;
  };
};

export type Health = {
  status: "ok";
  /** Deployment metadata; never a signal of trust or authorization */
  environment: string;
  requestId: string;
};

export type LocalizedReleasePresentation = {
  headline: string;
  summary: string;
  highlights: ReleaseHighlight[];
  changes: ReleaseNotes;
};

export type ManifestPayload = {
  schemaVersion: 1;
  /** lower-case letters, digits and hyphens, such as dark-mode */
  product: string;
  sequence: number;
  issuedAt: string;
  expiresAt: string;
  previous: string | null;
  revokedKeys?: string[];
  rollouts?: Rollout[];
  releases: Release[];
  withdrawn: WithdrawnRelease[];
};

export type Release = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  channel: "stable" | "beta";
  status: "published";
  publishedAt: string;
  /** a version of three numbers such as 2.1.0 */
  minimumSupportedVersion: string;
  mandatoryAfter: string | null;
  notes: ReleaseNotes;
  presentation?: ReleasePresentation;
  media?: ReleaseMedia[];
  artifacts: ReleaseArtifact[];
};

export type ReleaseArtifact = {
  platform: "android" | "windows" | "linux" | "macos" | "ios" | "web";
  architecture: string;
  /** a file name of letters, digits, dots, hyphens and underscores */
  fileName: string;
  signed: boolean;
  distribution?: "direct" | "play";
  /** an address that starts with https:// */
  url: string;
  /** a SHA-256 digest of 64 lower-case hexadecimal digits */
  sha256: string;
  size: number;
};

export type ReleaseDownloads = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  artifacts: ReleaseArtifact[];
};

export type ReleaseHighlight = {
  /** lower-case letters, digits and hyphens, such as dark-mode */
  id: string;
  title: string;
  description: string;
  icon: string;
  /** lower-case letters, digits and hyphens, such as dark-mode */
  mediaId?: string;
};

export type ReleaseList = {
  page: number;
  limit: number;
  total: number;
  releases: ReleaseSummary[];
};

export type ReleaseMedia = {
  /** lower-case letters, digits and hyphens, such as dark-mode */
  id: string;
  /** a file name of letters, digits, dots, hyphens and underscores */
  fileName: string;
  mimeType: "image/avif" | "image/jpeg" | "image/png" | "image/webp";
  /** an address that starts with https:// */
  url: string;
  /** a SHA-256 digest of 64 lower-case hexadecimal digits */
  sha256: string;
  size: number;
};

export type ReleaseNotes = {
  added: string[];
  changed: string[];
  fixed: string[];
  security: string[];
};

export type ReleasePresentation = {
  de: LocalizedReleasePresentation;
  en: LocalizedReleasePresentation;
};

export type ReleaseSummary = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  channel: "stable" | "beta";
  publishedAt: string;
};

export type Rollout = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  percent: number;
};

export type SignedManifestEnvelope = {
  schemaVersion: 1;
  /** a key id such as release-2026-01 */
  keyId: string;
  algorithm: "ed25519";
  /** unpadded Base64URL text */
  payload: string;
  /** unpadded Base64URL text */
  signature: string;
};

export type UpdateCoordinate = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
};

export type UpdateDecision = {
  platform: "android" | "windows" | "linux" | "macos";
  updateAvailable: boolean;
  mandatory: boolean;
  current: UpdateCoordinate;
  target: UpdateCoordinate;
  /** a version of three numbers such as 2.1.0 */
  minimumSupportedVersion: string;
  download: string;
};

export type WithdrawnRelease = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  reason: string;
  /** a version of three numbers such as 2.1.0 */
  replacedBy?: string;
};

export type CatalogFile = {
  schemaVersion: 1;
  /** lower-case letters, digits and hyphens, such as dark-mode */
  product: string;
  targets: CatalogTarget[];
  artifactHosts: string[];
  signing: {
    /** a key id such as release-2026-01 */
    active: string;
    /** a key id such as release-2026-01 */
    standby?: string;
    revoked?: string[];
    retired?: string[];
  };
  updaterKeys?: {
    minisign?: {
      /** a key id such as release-2026-01 */
      keyId: string;
      /** a minisign public key: the second line of its .pub file, 56 characters */
      publicKey: string;
    };
    sparkle?: {
      /** a key id such as release-2026-01 */
      keyId: string;
      /** a public key of Sparkle: 32 bytes in padded Base64, 44 characters */
      publicKey: string;
    };
  };
  manifestLifetimeDays: number;
  rollouts?: Rollout[];
};

export type CatalogTarget = {
  platform: "android" | "windows" | "linux" | "macos" | "ios" | "web";
  architecture: string;
};

export type DraftRelease = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  channel: "stable" | "beta";
  status: "draft";
  publishedAt?: null;
  /** a version of three numbers such as 2.1.0 */
  minimumSupportedVersion: string;
  mandatoryAfter: string | null;
  notes: ReleaseNotes;
  presentation?: ReleasePresentation;
  media?: ReleaseMedia[];
  artifacts: {
    platform: "android" | "windows" | "linux" | "macos" | "ios" | "web";
    architecture: string;
    /** a file name of letters, digits, dots, hyphens and underscores */
    fileName: string;
    signed: boolean;
    distribution?: "direct" | "play";
    /** an address that starts with https:// */
    url?: string;
    /** a SHA-256 digest of 64 lower-case hexadecimal digits */
    sha256?: string;
    size?: number;
    /** a SHA-512 digest in padded Base64, 88 characters */
    sha512?: string;
    signatures?: {
      minisign?: string;
      /** an Ed25519 signature in padded Base64, 88 characters */
      sparkle?: string;
    };
    /** a version of the operating system such as 12.0 */
    minimumOs?: string;
  }[];
};

export type KeyRing = {
  [name: string]: string;
};

export type PublishedSource = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  channel: "stable" | "beta";
  status: "published";
  publishedAt: string;
  /** a version of three numbers such as 2.1.0 */
  minimumSupportedVersion: string;
  mandatoryAfter: string | null;
  notes: ReleaseNotes;
  presentation?: ReleasePresentation;
  media?: ReleaseMedia[];
  artifacts: SourceArtifact[];
};

export type SourceArtifact = {
  platform: "android" | "windows" | "linux" | "macos" | "ios" | "web";
  architecture: string;
  /** a file name of letters, digits, dots, hyphens and underscores */
  fileName: string;
  signed: boolean;
  distribution?: "direct" | "play";
  /** an address that starts with https:// */
  url: string;
  /** a SHA-256 digest of 64 lower-case hexadecimal digits */
  sha256: string;
  size: number;
  /** a SHA-512 digest in padded Base64, 88 characters */
  sha512?: string;
  signatures?: {
    minisign?: string;
    /** an Ed25519 signature in padded Base64, 88 characters */
    sparkle?: string;
  };
  /** a version of the operating system such as 12.0 */
  minimumOs?: string;
};

export type SourceRelease = DraftRelease | PublishedSource | WithdrawnSource;

type Withdrawal = {
  at: string;
  reason: string;
  /** a version of three numbers such as 2.1.0 */
  replacedBy?: string;
};

export type WithdrawnSource = {
  /** a version of three numbers such as 2.1.0 */
  version: string;
  buildNumber: number;
  channel: "stable" | "beta";
  status: "withdrawn";
  publishedAt: string;
  /** a version of three numbers such as 2.1.0 */
  minimumSupportedVersion: string;
  mandatoryAfter: string | null;
  notes: ReleaseNotes;
  presentation?: ReleasePresentation;
  media?: ReleaseMedia[];
  artifacts: SourceArtifact[];
  withdrawal: Withdrawal;
};

export type SiteFile = {
  schemaVersion: 1;
  /** text of 1 to 60 characters */
  name: string;
  tagline?: {
    /** text of 1 to 120 characters */
    en: string;
    /** text of 1 to 120 characters */
    de: string;
  };
  description?: {
    /** text of 1 to 400 characters */
    en: string;
    /** text of 1 to 400 characters */
    de: string;
  };
  /** the name of a file in the folder "site" of the catalogue that ends in .svg, .png, .jpg, .webp or .avif */
  logo?: string;
  /** a colour of six hexadecimal digits such as "#1b6748" */
  accent?: string;
  /** a colour of six hexadecimal digits such as "#1b6748" */
  accentDark?: string;
  screenshots?: SiteScreenshot[];
  stores?: SiteStore[];
  links?: SiteLink[];
};

export type SiteLink = {
  label: {
    /** text of 1 to 40 characters */
    en: string;
    /** text of 1 to 40 characters */
    de: string;
  };
  /** an address that starts with https:// */
  url: string;
};

export type SiteScreenshot = {
  /** the name of a file in the folder "site" of the catalogue that ends in .png, .jpg, .webp or .avif */
  file: string;
  /** the name of a file in the folder "site" of the catalogue that ends in .png, .jpg, .webp or .avif */
  darkFile?: string;
  alt: {
    /** text of 1 to 300 characters */
    en: string;
    /** text of 1 to 300 characters */
    de: string;
  };
  caption?: {
    /** text of 1 to 140 characters */
    en: string;
    /** text of 1 to 140 characters */
    de: string;
  };
};

export type SiteStore = {
  platform: "android" | "windows" | "linux" | "macos" | "ios" | "web";
  /** text of 1 to 40 characters */
  name: string;
  /** an address that starts with https:// */
  url: string;
};
