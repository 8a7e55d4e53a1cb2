/** The resources of the release service, as JSON Schema 2020-12. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { RELEASE_ERROR_CODES } from "./errors.ts";
import {
  ARTIFACT_PLATFORMS,
  BASE64URL_PATTERN,
  DISTRIBUTION_PLATFORMS,
  DISTRIBUTIONS,
  EVERYBODY_PERCENT,
  FILE_NAME_PATTERN,
  HTTPS_PATTERN,
  SLUG_PATTERN,
  KEY_ID_PATTERN,
  MANIFEST_ALGORITHM,
  MANIFEST_SCHEMA_VERSION,
  MAX_HIGHLIGHTS,
  MAX_PAGE_LIMIT,
  MEDIA_TYPES,
  RELEASE_CHANNELS,
  SEMVER_PATTERN,
  SHA256_PATTERN,
} from "./values.ts";

const NonEmpty = Type.String({ minLength: 1 });
const Count = Type.Integer({ minimum: 1 });

// Each description completes the sentence "must be …" in an error message.
export const SemVer = Type.String({
  pattern: SEMVER_PATTERN,
  description: "a version of three numbers such as 2.1.0",
});
export const DateTime = Type.String({ format: "date-time" });
export const Id = Type.String({
  pattern: SLUG_PATTERN,
  description: "lower-case letters, digits and hyphens, such as dark-mode",
});
export const FileName = Type.String({
  pattern: FILE_NAME_PATTERN,
  description: "a file name of letters, digits, dots, hyphens and underscores",
});
export const KeyId = Type.String({
  pattern: KEY_ID_PATTERN,
  description: "a key id such as release-2026-01",
});
export const Sha256Hex = Type.String({
  pattern: SHA256_PATTERN,
  description: "a SHA-256 digest of 64 lower-case hexadecimal digits",
});
export const Base64Url = Type.String({
  pattern: BASE64URL_PATTERN,
  description: "unpadded Base64URL text",
});
export const HttpsUrl = Type.String({
  format: "uri",
  pattern: HTTPS_PATTERN,
  description: "an address that starts with https://",
});
export const BuildNumber = Count;

export const Channel = Type.Enum([...RELEASE_CHANNELS], { type: "string" });
export const Platform = Type.Enum([...DISTRIBUTION_PLATFORMS], { type: "string" });
export const AnyArtifactPlatform = Type.Enum([...ARTIFACT_PLATFORMS], { type: "string" });

export const Health = closedObject({
  status: Type.Literal("ok"),
  environment: Type.String({
    description: "Deployment metadata; never a signal of trust or authorization",
  }),
  requestId: Type.String({ format: "uuid" }),
});

export const ErrorResponse = closedObject({
  error: closedObject({
    code: Type.Enum([...RELEASE_ERROR_CODES], { type: "string" }),
    message: Type.String({ description: "For people; neither translated nor to be parsed" }),
    requestId: Type.String({ format: "uuid" }),
  }),
});

export const ReleaseSummary = closedObject({
  version: SemVer,
  buildNumber: BuildNumber,
  channel: Channel,
  publishedAt: DateTime,
});

export const ReleaseList = closedObject({
  page: Count,
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT }),
  total: Type.Integer({ minimum: 0 }),
  releases: Type.Array(ReleaseSummary),
});

export const ReleaseNotes = closedObject({
  added: Type.Array(NonEmpty),
  changed: Type.Array(NonEmpty),
  fixed: Type.Array(NonEmpty),
  security: Type.Array(NonEmpty),
});

export const ReleaseHighlight = closedObject({
  id: Id,
  title: NonEmpty,
  description: NonEmpty,
  icon: NonEmpty,
  mediaId: Type.Optional(Id),
});

export const LocalizedReleasePresentation = closedObject({
  headline: NonEmpty,
  summary: NonEmpty,
  highlights: Type.Array(ReleaseHighlight, { maxItems: MAX_HIGHLIGHTS }),
  changes: ReleaseNotes,
});

export const ReleasePresentation = closedObject({
  de: LocalizedReleasePresentation,
  en: LocalizedReleasePresentation,
});

const download = { url: HttpsUrl, sha256: Sha256Hex, size: Count };

export const ReleaseMedia = closedObject({
  id: Id,
  fileName: FileName,
  mimeType: Type.Enum([...MEDIA_TYPES], { type: "string" }),
  ...download,
});

export const artifactIdentity = {
  platform: AnyArtifactPlatform,
  architecture: NonEmpty,
  fileName: FileName,
  signed: Type.Boolean(),
  distribution: Type.Optional(Type.Enum([...DISTRIBUTIONS], { type: "string" })),
};

/** A file of a release for one platform and architecture, with its address, size and digest. */
export const ReleaseArtifact = closedObject({ ...artifactIdentity, ...download });

export const releaseCore = {
  version: SemVer,
  buildNumber: BuildNumber,
  channel: Channel,
};

export const releasePolicy = {
  minimumSupportedVersion: SemVer,
  mandatoryAfter: Type.Union([DateTime, Type.Null()]),
  notes: ReleaseNotes,
  presentation: Type.Optional(ReleasePresentation),
};

/** A published release, as the signed manifest has it. */
export const Release = closedObject({
  ...releaseCore,
  status: Type.Literal("published"),
  publishedAt: DateTime,
  ...releasePolicy,
  media: Type.Optional(Type.Array(ReleaseMedia)),
  artifacts: Type.Array(ReleaseArtifact, { minItems: 1 }),
});

export const ReleaseDownloads = closedObject({
  version: SemVer,
  artifacts: Type.Array(ReleaseArtifact, { minItems: 1 }),
});

export const SignedManifestEnvelope = closedObject({
  schemaVersion: Type.Literal(MANIFEST_SCHEMA_VERSION),
  keyId: KeyId,
  algorithm: Type.Literal(MANIFEST_ALGORITHM),
  payload: Base64Url,
  signature: Base64Url,
});

export const UpdateCoordinate = closedObject({ version: SemVer, buildNumber: BuildNumber });

export const UpdateDecision = closedObject({
  platform: Platform,
  updateAvailable: Type.Boolean(),
  mandatory: Type.Boolean(),
  current: UpdateCoordinate,
  target: UpdateCoordinate,
  minimumSupportedVersion: SemVer,
  download: Type.String({ format: "uri-reference" }),
});

/** A release that its maker withdrew, with the reason and the version to install in its place. */
export const WithdrawnRelease = closedObject({
  version: SemVer,
  buildNumber: BuildNumber,
  reason: NonEmpty,
  replacedBy: Type.Optional(SemVer),
});

/** The share of the installations that are offered a release: those whose bucket is at most `percent`. */
export const Rollout = closedObject({
  version: SemVer,
  percent: Type.Integer({ minimum: 0, maximum: EVERYBODY_PERCENT }),
});

/** The digest of the canonical text (RFC 8785) of the release's `ReleaseFiles`. */
export const SignedFiles = closedObject({ version: SemVer, sha256: Sha256Hex });

/** What names the archive: its digest and length in bytes, and how many releases it has. */
export const ManifestArchive = closedObject({
  sha256: Sha256Hex,
  size: Count,
  releases: Type.Integer({ minimum: 0 }),
});

/** The releases that no copy can act on any more, newest build first: canonical text (RFC 8785). */
export const ReleaseArchive = closedObject({
  schemaVersion: Type.Literal(MANIFEST_SCHEMA_VERSION),
  product: Id,
  releases: Type.Array(Release),
  files: Type.Array(SignedFiles),
  withdrawn: Type.Array(WithdrawnRelease),
});

/** The decoded payload of the envelope. Sequence and expiry prevent rollback and freeze attacks. */
export const ManifestPayload = closedObject({
  schemaVersion: Type.Literal(MANIFEST_SCHEMA_VERSION),
  product: Id,
  sequence: Count,
  issuedAt: DateTime,
  expiresAt: DateTime,
  previous: Type.Union([Sha256Hex, Type.Null()]),
  revokedKeys: Type.Optional(Type.Array(KeyId)),
  rollouts: Type.Optional(Type.Array(Rollout)),
  files: Type.Optional(Type.Array(SignedFiles)),
  archive: Type.Optional(ManifestArchive),
  releases: Type.Array(Release),
  withdrawn: Type.Array(WithdrawnRelease),
});

export type Health = Static<typeof Health>;
export type ErrorResponse = Static<typeof ErrorResponse>;
export type ReleaseSummary = Static<typeof ReleaseSummary>;
export type ReleaseList = Static<typeof ReleaseList>;
export type ReleaseNotes = Static<typeof ReleaseNotes>;
export type ReleaseHighlight = Static<typeof ReleaseHighlight>;
export type LocalizedReleasePresentation = Static<typeof LocalizedReleasePresentation>;
export type ReleasePresentation = Static<typeof ReleasePresentation>;
export type ReleaseMedia = Static<typeof ReleaseMedia>;
export type ReleaseArtifact = Static<typeof ReleaseArtifact>;
export type Release = Static<typeof Release>;
export type ReleaseDownloads = Static<typeof ReleaseDownloads>;
export type SignedManifestEnvelope = Static<typeof SignedManifestEnvelope>;
export type UpdateCoordinate = Static<typeof UpdateCoordinate>;
export type UpdateDecision = Static<typeof UpdateDecision>;
export type WithdrawnRelease = Static<typeof WithdrawnRelease>;
export type Rollout = Static<typeof Rollout>;
export type SignedFiles = Static<typeof SignedFiles>;
export type ManifestArchive = Static<typeof ManifestArchive>;
export type ReleaseArchive = Static<typeof ReleaseArchive>;
export type ManifestPayload = Static<typeof ManifestPayload>;
