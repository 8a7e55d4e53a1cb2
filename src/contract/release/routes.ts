/** The whole HTTP surface of the release service. Contract version 1.0.0. */
import Type from "typebox";
import {
  createRoutes,
  type DeclaredRoute,
  type Parameter,
  type ServiceContract,
} from "../route.ts";
import { failures, okResponse, redirect, validated } from "./declare-responses.ts";
import {
  Channel,
  ErrorResponse,
  Health,
  LocalizedReleasePresentation,
  Platform,
  Release,
  ReleaseArtifact,
  ReleaseDownloads,
  ReleaseHighlight,
  ReleaseList,
  ReleaseMedia,
  ReleaseNotes,
  ReleasePresentation,
  ReleaseSummary,
  SemVer,
  SignedManifestEnvelope,
  UpdateCoordinate,
  UpdateDecision,
} from "./schemas.ts";
import { DEFAULT_CHANNEL, DEFAULT_PAGE_LIMIT, MAX_PAGE, MAX_PAGE_LIMIT } from "./values.ts";

export const RELEASE_CONTRACT_VERSION = "1.0.0";

/** Cache-Control by class of response. */
/** A response that changes by itself is kept until then and no longer. */
export const cacheFor = (secondsLeft: number) =>
  `public, max-age=${Math.min(60, secondsLeft)}, s-maxage=${Math.min(300, secondsLeft)}`;

export const CACHE = {
  /** Responses that change when something is published. */
  current: cacheFor(Infinity),
  /** A release never changes once it is published. */
  immutable: "public, max-age=86400, s-maxage=31536000, immutable",
  never: "no-store",
  /** The selector depends on the User-Agent. */
  perVisitor: "private, no-store",
  legacy: "public, max-age=86400",
} as const;

const channel = {
  schema: Channel,
  description: "Publication track",
  default: DEFAULT_CHANNEL,
  invalid: "invalid_channel",
} as const satisfies Parameter;

const version = {
  schema: SemVer,
  description: "Three-component SemVer without a leading v",
  required: true,
  invalid: "release_not_found",
} as const satisfies Parameter;

const downloadPlatform = {
  schema: Platform,
  description: "Distribution platform",
  required: true,
  invalid: "platform_not_supported",
} as const satisfies Parameter;

const selectorQuery = {
  channel,
  platform: {
    schema: Platform,
    description: "Overrides detection when it is a distribution platform",
    invalid: null,
  },
  arch: {
    // A dot segment would change the path it becomes a part of.
    schema: Type.String({ minLength: 1, pattern: "^(?!\\.{1,2}$)" }),
    description:
      "Architecture; by default universal for android and macos, x64 for windows and linux",
    invalid: null,
  },
} as const satisfies Record<string, Parameter>;

const downloadResponses = {
  302: redirect("To the artifact"),
  ...failures(
    "invalid_channel",
    "platform_not_supported",
    "release_not_found",
    "artifact_not_found",
  ),
};

export const RELEASE_ROUTES = createRoutes({ origin: "api" }, {
  selectSmartDownload: {
    method: "GET",
    origin: "smartDownload",
    path: "/",
    summary: "Choose a download from the query or the User-Agent",
    description:
      "Redirects to the download route of the chosen platform, or to the website when none can be determined. Looks nothing up.",
    query: selectorQuery,
    responses: {
      302: redirect("To the download route or the website"),
      ...failures("invalid_channel"),
    },
  },
  redirectLegacyDownload: {
    method: "GET",
    path: "/download",
    summary: "Legacy entry point of the smart download",
    description: "Keeps the query string exactly as it came.",
    responses: { 308: redirect("To the smart-download origin"), ...failures() },
  },
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Liveness",
    responses: { 200: okResponse(Health, "The service is up"), ...failures() },
  },
  getSignedManifest: {
    method: "GET",
    path: "/api/v1/manifest",
    summary: "The signed manifest of everything published",
    description: "Verify the signature over the decoded payload bytes before parsing them.",
    ...validated(SignedManifestEnvelope, "The envelope", "manifest_unavailable"),
  },
  listReleases: {
    method: "GET",
    path: "/api/v1/releases",
    summary: "Published releases of a channel, newest build first",
    query: {
      page: {
        schema: Type.Integer({ minimum: 1, maximum: MAX_PAGE }),
        description: "Page, from 1",
        default: 1,
        invalid: "invalid_pagination",
      },
      limit: {
        schema: Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT }),
        description: "Releases on a page",
        default: DEFAULT_PAGE_LIMIT,
        invalid: "invalid_pagination",
      },
      channel,
    },
    ...validated(ReleaseList, "One page, possibly empty", "invalid_pagination", "invalid_channel"),
  },
  getLatestRelease: {
    method: "GET",
    path: "/api/v1/releases/latest",
    summary: "The newest published release of a channel",
    query: { channel },
    ...validated(Release, "The release", "invalid_channel", "release_not_found"),
  },
  getRelease: {
    method: "GET",
    path: "/api/v1/releases/{version}",
    summary: "One published release, whatever its channel",
    params: { version },
    ...validated(Release, "The release; it never changes", "release_not_found"),
  },
  getReleaseDownloads: {
    method: "GET",
    path: "/api/v1/releases/{version}/downloads",
    summary: "The artifacts of one published release",
    params: { version },
    ...validated(ReleaseDownloads, "The artifacts; they never change", "release_not_found"),
  },
  checkForUpdate: {
    method: "GET",
    path: "/api/v1/update/{platform}",
    summary: "Whether a client should update",
    description: "A hint: the decision is not signed. Verify the manifest before acting on it.",
    params: { platform: { ...downloadPlatform, invalid: "invalid_update_request" } },
    query: {
      version: {
        ...version,
        description: "The client's version",
        invalid: "invalid_update_request",
      },
      build: {
        schema: Type.Integer({ minimum: 1 }),
        description: "The client's build number, an integer of any length",
        required: true,
        anyLength: true,
        invalid: "invalid_update_request",
      },
      channel,
    },
    responses: {
      200: okResponse(UpdateDecision, "The decision"),
      ...failures("invalid_update_request", "invalid_channel", "release_not_found"),
    },
  },
  downloadForDefaultArchitecture: {
    method: "GET",
    path: "/api/v1/download/{platform}",
    summary: "Redirect to the artifact for the platform's default architecture",
    params: { platform: downloadPlatform },
    query: { channel },
    responses: downloadResponses,
  },
  downloadForArchitecture: {
    method: "GET",
    path: "/api/v1/download/{platform}/{architecture}",
    summary: "Redirect to the artifact for a platform and architecture",
    params: {
      platform: downloadPlatform,
      architecture: {
        schema: Type.String({ minLength: 1 }),
        description: "As the release names it, for example universal or x64",
        required: true,
        invalid: "artifact_not_found",
      },
    },
    query: { channel },
    responses: downloadResponses,
  },
} as const satisfies Record<string, DeclaredRoute>);

export const RELEASE_CONTRACT: ServiceContract = {
  title: "Trellis release metadata API",
  version: RELEASE_CONTRACT_VERSION,
  description:
    "Read-only release metadata, a signed update manifest, update decisions and redirects to downloads.",
  origins: {
    api: { url: "https://releases.example.com", description: "The API" },
    smartDownload: {
      url: "https://download.example.com",
      description: "The smart-download origin: it serves only the selector",
    },
  },
  routes: Object.values(RELEASE_ROUTES),
  schemas: {
    Health,
    ErrorResponse,
    ReleaseSummary,
    ReleaseList,
    ReleaseNotes,
    ReleaseHighlight,
    LocalizedReleasePresentation,
    ReleasePresentation,
    ReleaseMedia,
    ReleaseArtifact,
    Release,
    ReleaseDownloads,
    SignedManifestEnvelope,
    UpdateCoordinate,
    UpdateDecision,
  },
};
