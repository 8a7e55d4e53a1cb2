import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import {
  DEFAULT_ARCHITECTURES,
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  MAX_ACCEPTED_MANIFEST_BYTES,
  MAX_ARCHIVE_BYTES,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import { PACKAGE_KINDS, type PackageKind } from "../../rules/release/package-kinds.ts";
import { isVersion } from "../../rules/release/version.ts";
import { globalFetch, readBaseUrl, readLimits } from "../transport/read-options.ts";
import type { Fetch } from "../transport/request-text.ts";
import { createInstallationId } from "./installation-id.ts";
import type { UpdateStorage } from "./storage.ts";

/**
 * The settings of an update client: where releases are, whose keys it trusts, and which copy of the app
 * asks.
 */
export interface UpdateClientOptions {
  /** The address of the release service: https, or http on loopback for development. */
  readonly baseUrl: string;
  /** A manifest of another product is refused. */
  readonly product: string;
  /** The pinned key ring, active and standby: public keys in unpadded Base64URL, by key id. */
  readonly keys: Readonly<Record<string, string>>;
  /** `stable` by default. */
  readonly channel?: ReleaseChannel;
  /** The platform of the running copy. */
  readonly platform: DistributionPlatform;
  /**
   * The architecture as the catalogue names it; by default universal on android and macos, x64 on
   * windows and linux.
   */
  readonly architecture?: string;
  /**
   * What this copy was installed as: it then gets a file with this ending and never another. Left out, it gets
   * the first file of its platform and architecture.
   */
  readonly package?: PackageKind;
  /** The running version. */
  readonly current: UpdateCoordinate;
  /** The storage must outlive the app's process. `createMemoryStorage()` does not: it is for tests. */
  readonly storage: UpdateStorage;
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** What differs from the default limits. */
  readonly limits?: Partial<UpdateLimits>;
}

/** How many bytes and how much time the requests of an update client may take. */
export interface UpdateLimits {
  /** A larger manifest is refused. */
  readonly maxManifestBytes: number;
  /** What \`history\` reads at most. */
  readonly maxArchiveBytes: number;
  /** The time limit of the manifest and the hint, from the request to the last byte of the response. */
  readonly timeoutMs: number;
  /** How long a download may receive no bytes. */
  readonly stallTimeoutMs: number;
}

/** The limits of an update client that has no `limits` of its own. */
export const DEFAULT_UPDATE_LIMITS: UpdateLimits = {
  // A maker signs at most an eighth of it; well within the memory of a phone.
  maxManifestBytes: MAX_ACCEPTED_MANIFEST_BYTES,
  maxArchiveBytes: MAX_ARCHIVE_BYTES,
  timeoutMs: 20_000,
  stallTimeoutMs: 30_000,
};

/** `baseUrl` is without a trailing slash. */
export type UpdateSettings = Required<Omit<UpdateClientOptions, "limits" | "package">> & {
  readonly package: PackageKind | null;
  readonly limits: UpdateLimits;
  /** Returns one id while the client lives, so that a storage that keeps nothing changes no bucket. */
  readonly newInstallationId: () => string;
};

export function readUpdateSettings(options: UpdateClientOptions): UpdateSettings {
  const { platform, channel = DEFAULT_CHANNEL, current, product } = options;
  requireOneOf("platform", platform, DISTRIBUTION_PLATFORMS);
  requireOneOf("channel", channel, RELEASE_CHANNELS);
  if (options.package !== undefined) requireOneOf("package", options.package, PACKAGE_KINDS);
  const architecture = options.architecture ?? DEFAULT_ARCHITECTURES[platform];
  if (architecture === "") throw invalid("architecture", "is empty: leave it out for the default");
  if (product === "")
    throw invalid("product", "is empty: give the product that the manifest names");
  if (!isVersion(current.version)) {
    throw invalid(
      "current.version",
      `"${current.version}" is not three-component SemVer like 1.4.0`,
    );
  }
  if (!Number.isSafeInteger(current.buildNumber) || current.buildNumber < 1) {
    throw invalid("current.buildNumber", "is not a positive integer");
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl, invalid),
    product,
    keys: readKeys(options.keys),
    channel,
    platform,
    architecture,
    package: options.package ?? null,
    current: { ...current },
    storage: readStorage(options.storage),
    fetch: options.fetch ?? globalFetch,
    now: options.now ?? Date.now,
    limits: readLimits(DEFAULT_UPDATE_LIMITS, options.limits, invalid),
    newInstallationId: once(createInstallationId),
  };
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}

/** Apps in JavaScript may pass no storage, and would lose the protection without a word. */
function readStorage(storage: UpdateStorage | undefined): UpdateStorage {
  if (typeof storage?.load === "function" && typeof storage.save === "function") return storage;
  throw invalid(
    "storage",
    "is missing: give load and save of a file or key-value store, or createMemoryStorage() in a test",
  );
}

function readKeys(keys: UpdateClientOptions["keys"]): UpdateClientOptions["keys"] {
  const entries = Object.entries(keys);
  if (entries.length === 0) throw invalid("keys", "is empty: pin the active and the standby key");
  for (const [keyId, key] of entries) {
    if (decodeBase64Url(key)?.length !== 32) {
      throw invalid(`keys["${keyId}"]`, "is not 32 bytes in unpadded Base64URL");
    }
  }
  return { ...keys };
}

function requireOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) {
    throw invalid(name, `"${value}" is not one of ${allowed.join(", ")}`);
  }
}

function invalid(name: string, detail: string): TypeError {
  return new TypeError(`Cannot create the update client: ${name} ${detail}`);
}
