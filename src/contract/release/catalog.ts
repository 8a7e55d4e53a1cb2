/** The files of a release catalogue: what the maker of an app keeps in version control. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import {
  AnyArtifactPlatform,
  artifactIdentity,
  DateTime,
  HttpsUrl,
  Id,
  KeyId,
  releaseCore,
  releasePolicy,
  ReleaseArtifact,
  ReleaseMedia,
  Rollout,
  SemVer,
  Sha256Hex,
  WithdrawnRelease,
} from "./schemas.ts";
import { APP_VERSION_PATTERN } from "./feed-values.ts";
import { MAX_MANIFEST_LIFETIME_DAYS } from "./values.ts";

/** No file names the build that wrote it, as stores do: people with several versions write to one catalogue. */
export const CATALOG_SCHEMA_VERSION = 1;
export const DEFAULT_MANIFEST_LIFETIME_DAYS = 30;

const NonEmpty = Type.String({ minLength: 1 });

/** A host name or an IPv6 address in brackets, perhaps with a port. */
export const ARTIFACT_HOST_PATTERN =
  "^(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s/:@?#\\[\\]]+)(?::[0-9]{1,5})?$";

const ArtifactHost = Type.String({
  pattern: ARTIFACT_HOST_PATTERN,
  description: "a host such as downloads.example.com, without https:// and path",
});

/** A platform and architecture for which a complete release must have an artifact. */
export const CatalogTarget = closedObject({
  platform: AnyArtifactPlatform,
  architecture: NonEmpty,
});

/** The public half of a key that signs files for other updaters. Such a key never signs a manifest. */
const updaterKey = (pattern: string, description: string) =>
  closedObject({ keyId: KeyId, publicKey: Type.String({ pattern, description }) });

const UpdaterKeys = closedObject({
  minisign: Type.Optional(
    updaterKey(
      // 42 bytes, of which the first two are "Ed".
      "^RW[QRST][A-Za-z0-9+/]{53}$",
      "a minisign public key: the second line of its .pub file, 56 characters",
    ),
  ),
  sparkle: Type.Optional(
    updaterKey(
      "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
      "a public key of Sparkle: 32 bytes in padded Base64, 44 characters",
    ),
  ),
});

export const CatalogFile = closedObject({
  schemaVersion: Type.Literal(CATALOG_SCHEMA_VERSION),
  product: Id,
  targets: Type.Array(CatalogTarget),
  artifactHosts: Type.Array(ArtifactHost),
  signing: closedObject({
    active: KeyId,
    standby: Type.Optional(KeyId),
    /** Every later manifest names them, so that apps that pin them stop trusting them. */
    revoked: Type.Optional(Type.Array(KeyId)),
    /** Keys that were active before. Apps still trust them. */
    retired: Type.Optional(Type.Array(KeyId)),
  }),
  updaterKeys: Type.Optional(UpdaterKeys),
  manifestLifetimeDays: Type.Integer({ minimum: 1, maximum: MAX_MANIFEST_LIFETIME_DAYS }),
  /** A release without an entry is out for everybody. */
  rollouts: Type.Optional(Type.Array(Rollout)),
});

/** The public key ring: 32 raw Ed25519 bytes in unpadded Base64URL, by key id. */
export const KeyRing = Type.Record(
  KeyId,
  Type.String({
    pattern: "^[A-Za-z0-9_-]{43}$",
    description: "a public key: 32 bytes in unpadded Base64URL, 43 characters",
  }),
  { additionalProperties: false },
);

export const Withdrawal = closedObject({
  at: DateTime,
  reason: NonEmpty,
  replacedBy: Type.Optional(SemVer),
});

// A draft may lack the addresses and digests of its files.
const draftDownload = {
  url: Type.Optional(HttpsUrl),
  sha256: Type.Optional(Sha256Hex),
  size: Type.Optional(Type.Integer({ minimum: 1 })),
};

/** A number or up to four, such as 12, 12.0 or 10.0.17763. */
export const OS_VERSION_PATTERN = "^[0-9]+(?:\\.[0-9]+){0,3}$";

/** What other updaters check a file by. The public release has no place for it. */
export const updaterMembers = {
  sha512: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9+/]{86}==$",
      description: "a SHA-512 digest in padded Base64, 88 characters",
    }),
  ),
  signatures: Type.Optional(
    closedObject({
      // The rules for a release check the form of a minisign signature.
      minisign: Type.Optional(NonEmpty),
      sparkle: Type.Optional(
        Type.String({
          pattern: "^[A-Za-z0-9+/]{86}==$",
          description: "an Ed25519 signature in padded Base64, 88 characters",
        }),
      ),
    }),
  ),
  /** The length of the block map at the end of an AppImage, for differential updates. */
  blockMapSize: Type.Optional(Type.Integer({ minimum: 1 })),
  minimumOs: Type.Optional(
    Type.String({
      pattern: OS_VERSION_PATTERN,
      description: "a version of the operating system such as 12.0",
    }),
  ),
};

/** What a built file says of itself. Only a draft keeps it, until it was compared with the release. */
export const Detected = closedObject({
  format: Type.Enum(["exe", "msi", "plist", "deb", "rpm", "appimage", "apk"]),
  version: Type.Optional(NonEmpty),
  build: Type.Optional(Type.Integer({ minimum: 1 })),
});

const DraftArtifact = closedObject({
  ...artifactIdentity,
  ...draftDownload,
  ...updaterMembers,
  detected: Type.Optional(Detected),
});

export const SourceArtifact = closedObject({ ...ReleaseArtifact.properties, ...updaterMembers });

/** Any SemVer 2, such as 1.3.0-beta.3. */
export const AppVersion = Type.String({
  pattern: APP_VERSION_PATTERN,
  description: "a version by SemVer 2 such as 1.3.0-beta.3",
});

/** The app's own name for the version, for feeds and the page; the public release has no place for it. */
const sourceCore = { ...releaseCore, appVersion: Type.Optional(AppVersion) };

/** Everything that a release publishes about its files; a manifest may sign the digest of it. */
export const ReleaseFiles = closedObject({
  version: SemVer,
  appVersion: Type.Optional(AppVersion),
  files: Type.Array(SourceArtifact, { minItems: 1 }),
});

export const DraftRelease = closedObject({
  ...sourceCore,
  status: Type.Literal("draft"),
  publishedAt: Type.Optional(Type.Null()),
  /** It is published by the first signing after this time. */
  scheduled: Type.Optional(
    closedObject({
      at: DateTime,
      /** The percent of its rollout; absent: it is for everybody. */
      rollout: Type.Optional(Rollout.properties.percent),
      allowsMismatch: Type.Optional(Type.Boolean()),
    }),
  ),
  ...releasePolicy,
  media: Type.Optional(Type.Array(ReleaseMedia)),
  artifacts: Type.Array(DraftArtifact),
});

const publishedMembers = {
  publishedAt: DateTime,
  ...releasePolicy,
  media: Type.Optional(Type.Array(ReleaseMedia)),
  artifacts: Type.Array(SourceArtifact, { minItems: 1 }),
};

export const PublishedSource = closedObject({
  ...sourceCore,
  status: Type.Literal("published"),
  ...publishedMembers,
});

export const WithdrawnSource = closedObject({
  ...sourceCore,
  status: Type.Literal("withdrawn"),
  ...publishedMembers,
  withdrawal: Withdrawal,
});

export const SourceRelease = Type.Union([DraftRelease, PublishedSource, WithdrawnSource]);

/** The first line of the archive's index. */
export const ArchiveHeader = closedObject({
  schemaVersion: Type.Literal(CATALOG_SCHEMA_VERSION),
  /** How the archive of the manifest before differs from the current one; it is served for a while. */
  previous: Type.Optional(
    closedObject({
      sha256: Sha256Hex,
      /** The versions that only the archive before has among its releases. */
      releases: Type.Array(SemVer),
      /** The versions that only the current archive has among its releases. */
      added: Type.Array(SemVer),
      withdrawn: Type.Array(WithdrawnRelease),
      addedWithdrawn: Type.Array(SemVer),
    }),
  ),
});

/** A line of the archive's index, with what most commands need of a release. */
export const ArchiveEntry = closedObject({
  ...sourceCore,
  publishedAt: DateTime,
  withdrawal: Type.Optional(Withdrawal),
  /** The systems that it has files for, such as linux/x64. */
  platforms: Type.Array(NonEmpty),
  /** The places in feeds that it has files for. */
  places: Type.Array(NonEmpty),
  /** The digest of what it publishes about its files, as it was signed. */
  filesSha256: Sha256Hex,
  /** Where its line begins in the archive, and the bytes of the two texts in it. */
  offset: Type.Integer({ minimum: 0 }),
  filesLength: Type.Integer({ minimum: 1 }),
  releaseLength: Type.Integer({ minimum: 1 }),
});

export type ArchiveHeader = Static<typeof ArchiveHeader>;
export type ArchiveEntry = Static<typeof ArchiveEntry>;
export type CatalogTarget = Static<typeof CatalogTarget>;
export type CatalogFile = Static<typeof CatalogFile>;
export type KeyRing = Static<typeof KeyRing>;
export type Detected = Static<typeof Detected>;
export type SourceArtifact = Static<typeof SourceArtifact>;
export type ReleaseFiles = Static<typeof ReleaseFiles>;
export type DraftRelease = Static<typeof DraftRelease>;
export type PublishedSource = Static<typeof PublishedSource>;
export type WithdrawnSource = Static<typeof WithdrawnSource>;
export type SourceRelease = Static<typeof SourceRelease>;
