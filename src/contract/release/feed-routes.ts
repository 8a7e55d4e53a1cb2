/** Feeds beside the contract, for updaters that apps already have; each defines the form of its body. */
import Type from "typebox";
import { closedObject } from "../closed-object.ts";
import {
  createRoutes,
  type DeclaredRoute,
  type Parameter,
  type ServiceContract,
} from "../route.ts";
import { AppVersion, ReleaseFiles } from "./catalog.ts";
import {
  cacheControl,
  conditional,
  failures,
  negotiated,
  notModified,
  okResponse,
} from "./declare-responses.ts";
import {
  APPCAST_TYPE,
  ELECTRON_FILES,
  SQUIRREL_ARCHITECTURES,
  TAURI_ARCHITECTURES,
  TAURI_BUNDLE_TYPES,
  TAURI_TARGETS,
  UNKNOWN_BUNDLE_TYPE,
  YAML_TYPE,
  type Feed,
  type FeedSettings,
} from "./feed-values.ts";
import { RELEASE_CONTRACT } from "./routes.ts";
import { Channel, DateTime, ReleaseArchive, SemVer, Sha256Hex } from "./schemas.ts";
import { RELEASE_CHANNELS } from "./values.ts";

const tauriFile = {
  url: Type.String({ format: "uri" }),
  signature: Type.String({ description: "The text of the .sig file of the bundler" }),
};
const tauriRelease = {
  version: AppVersion,
  notes: Type.Optional(Type.String()),
  pub_date: DateTime,
};

export const TauriStaticFeed = closedObject({
  ...tauriRelease,
  platforms: Type.Record(Type.String(), closedObject(tauriFile), { minProperties: 1 }),
});
export const TauriUpdate = closedObject({ ...tauriRelease, ...tauriFile });

export const SquirrelMacFeed = closedObject({
  currentRelease: AppVersion,
  releases: Type.Array(
    closedObject({
      version: AppVersion,
      updateTo: closedObject({
        version: AppVersion,
        pub_date: DateTime,
        notes: Type.String(),
        name: Type.String(),
        url: Type.String({ format: "uri" }),
      }),
    }),
    { minItems: 1 },
  ),
});

/** A member of an enumeration in the path. */
const oneOf = <T extends string>(
  values: readonly T[],
  description: string,
  invalid: "not_found" | "invalid_update_request",
) =>
  ({
    schema: Type.Unsafe<T>(Type.Enum([...values], { type: "string" })),
    description,
    required: true,
    invalid,
  }) as const satisfies Parameter;

const channel = {
  schema: Channel,
  description: "Publication track; beta also has stable releases",
  required: true,
  invalid: "invalid_channel",
} as const satisfies Parameter;

const tauriMachine = {
  channel,
  target: oneOf(TAURI_TARGETS, "The operating system", "invalid_update_request"),
  arch: oneOf(TAURI_ARCHITECTURES, "The architecture", "invalid_update_request"),
} as const satisfies Record<string, Parameter>;

const installedVersion = {
  current_version: {
    schema: AppVersion,
    description: "The installed version, any SemVer",
    required: true,
    invalid: "invalid_update_request",
  },
} as const satisfies Record<string, Parameter>;

const tauriUpdate = {
  requestHeaders: conditional,
  responses: {
    200: okResponse(TauriUpdate, "A newer release", negotiated),
    204: { description: "There is no newer release for this installation", headers: cacheControl },
    304: notModified,
    ...failures("invalid_channel", "invalid_update_request"),
  },
} as const;

const text = (mediaType: string, description: string) => ({
  ...okResponse(Type.String(), description, negotiated),
  mediaType,
});

export const FEED_ROUTES = createRoutes({ origin: "api" }, {
  getElectronFeed: {
    method: "GET",
    path: "/feeds/electron/{file}",
    summary: "The update file of electron-updater's generic provider",
    description: "`latest` is the stable channel. The address without the file is the provider's.",
    params: {
      file: oneOf(
        ELECTRON_FILES.map(({ name }) => name),
        "Channel and platform",
        "not_found",
      ),
    },
    requestHeaders: conditional,
    responses: {
      200: text(YAML_TYPE, "The newest release with a file for the platform"),
      304: notModified,
      ...failures("not_found", "release_not_found"),
    },
  },
  getTauriFeed: {
    method: "GET",
    path: "/feeds/tauri/{file}",
    summary: "The static update file of Tauri 2, for every platform",
    params: {
      file: oneOf(
        RELEASE_CHANNELS.map((name) => `${name}.json` as const),
        "The channel",
        "not_found",
      ),
    },
    requestHeaders: conditional,
    responses: {
      200: okResponse(
        TauriStaticFeed,
        "The newest release that is offered to everyone",
        negotiated,
      ),
      304: notModified,
      ...failures("not_found", "release_not_found"),
    },
  },
  getTauriUpdate: {
    method: "GET",
    path: "/feeds/tauri/{channel}/{target}/{arch}/{current_version}",
    summary: "The update of one machine with a Tauri 2 app",
    params: { ...tauriMachine, ...installedVersion },
    ...tauriUpdate,
  },
  getTauriBundleUpdate: {
    method: "GET",
    path: "/feeds/tauri/{channel}/{target}/{arch}/{bundle_type}/{current_version}",
    summary: "The update of one installation of a Tauri 2 app, of the kind that is installed",
    description: "Only a file of the kind is offered; `unknown` is offered what the machine is.",
    params: {
      ...tauriMachine,
      bundle_type: oneOf(
        [...TAURI_BUNDLE_TYPES, UNKNOWN_BUNDLE_TYPE],
        "What the app was installed as",
        "invalid_update_request",
      ),
      ...installedVersion,
    },
    ...tauriUpdate,
  },
  getAppcast: {
    method: "GET",
    path: "/feeds/sparkle/{channel}/appcast.xml",
    summary: "The appcast of Sparkle 2, WinSparkle and their ports",
    params: { channel },
    requestHeaders: conditional,
    responses: {
      200: text(APPCAST_TYPE, "The newest releases with a signed file"),
      304: notModified,
      ...failures("invalid_channel", "release_not_found"),
    },
  },
  getSquirrelMacFeed: {
    method: "GET",
    path: "/feeds/squirrel/{channel}/darwin/{arch}/RELEASES.json",
    summary: "The update file of Squirrel.Mac, which Electron's own updater reads",
    params: { channel, arch: oneOf(SQUIRREL_ARCHITECTURES, "The architecture", "not_found") },
    requestHeaders: conditional,
    responses: {
      200: okResponse(
        SquirrelMacFeed,
        "The newest release that is offered to everyone",
        negotiated,
      ),
      304: notModified,
      ...failures("invalid_channel", "not_found", "release_not_found"),
    },
  },
  getReleaseFiles: {
    method: "GET",
    path: "/feeds/files/{version}",
    summary: "What a release publishes about its files, with what other updaters check them by",
    description:
      "The body is canonical JSON (RFC 8785): its SHA-256 is that of the release in `files` of the manifest.",
    params: {
      version: {
        schema: SemVer,
        description: "Three-component SemVer without a leading v",
        required: true,
        invalid: "release_not_found",
      },
    },
    requestHeaders: conditional,
    responses: {
      200: okResponse(ReleaseFiles, "The files; they never change", negotiated),
      304: notModified,
      ...failures("release_not_found"),
    },
  },
  getReleaseArchive: {
    method: "GET",
    path: "/feeds/archive/{sha256}",
    summary: "The releases that are too old for the manifest",
    description:
      "The body is canonical JSON (RFC 8785) with this SHA-256, which `archive` of the manifest names. That of the manifest before is served, too.",
    params: {
      sha256: {
        schema: Sha256Hex,
        description: "The digest of the archive",
        required: true,
        invalid: "not_found",
      },
    },
    requestHeaders: conditional,
    responses: {
      200: okResponse(ReleaseArchive, "The archive; it never changes", negotiated),
      304: notModified,
      ...failures("not_found"),
    },
  },
} as const satisfies Record<string, DeclaredRoute>);

/** The list of files and the archive are the manifest's, so they cannot be turned off. */
type ManifestRoute = "getReleaseFiles" | "getReleaseArchive";

const FEED_OF_ROUTE: Readonly<Record<Exclude<keyof typeof FEED_ROUTES, ManifestRoute>, Feed>> = {
  getElectronFeed: "electron",
  getTauriFeed: "tauri",
  getTauriUpdate: "tauri",
  getTauriBundleUpdate: "tauri",
  getAppcast: "sparkle",
  getSquirrelMacFeed: "squirrel",
};

/** Whether a route is served: a feed that is turned off has no address. */
export function isRouteServed(operationId: string, feeds: FeedSettings): boolean {
  return (
    !Object.hasOwn(FEED_OF_ROUTE, operationId) ||
    feeds[FEED_OF_ROUTE[operationId as keyof typeof FEED_OF_ROUTE]]
  );
}

/** The contract and the feeds beside it: what the OpenAPI document describes. */
export const RELEASE_API: ServiceContract = {
  ...RELEASE_CONTRACT,
  routes: [...RELEASE_CONTRACT.routes, ...Object.values(FEED_ROUTES)],
  schemas: {
    ...RELEASE_CONTRACT.schemas,
    ReleaseArchive,
    ReleaseFiles,
    TauriStaticFeed,
    TauriUpdate,
    SquirrelMacFeed,
  },
};
