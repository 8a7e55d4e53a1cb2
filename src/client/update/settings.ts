/** What an app tells its update client, checked once: a wrong setting is a bug and throws. */
import { isLoopback } from "../../contract/loopback.ts";
import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import {
  DEFAULT_ARCHITECTURES,
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import { isVersion } from "../../rules/release/version.ts";
import type { Fetch } from "../transport/exchange-text.ts";
import { readLimits } from "../transport/limits.ts";
import type { Installation } from "./judge-update.ts";
import { createMemoryStorage, type UpdateStorage } from "./storage.ts";

export interface UpdateClientOptions {
  /** Where the release service is: https, or http on this machine for development. */
  readonly baseUrl: string;
  /** The product that a manifest must name; another product's is refused. */
  readonly product: string;
  /** The pinned key ring, active and standby: public keys in unpadded Base64URL, by key id. */
  readonly keys: Readonly<Record<string, string>>;
  readonly channel?: ReleaseChannel;
  readonly platform: DistributionPlatform;
  /** As the maker names it; by default universal on android and macos, x64 on windows and linux. */
  readonly architecture?: string;
  /** What is running. */
  readonly current: UpdateCoordinate;
  /** Without one, an older manifest is recognised only until the app restarts. */
  readonly storage?: UpdateStorage;
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly limits?: Partial<UpdateLimits>;
}

export interface UpdateLimits {
  readonly maxManifestBytes: number;
  /** For the manifest and the hint, from the request to the last byte of the answer. */
  readonly timeoutMs: number;
  /** How long a download may bring nothing at all. */
  readonly stallTimeoutMs: number;
}

export const DEFAULT_UPDATE_LIMITS: UpdateLimits = {
  // Hundreds of releases with their stories; far below what would hurt a phone.
  maxManifestBytes: 8 * 1024 * 1024,
  timeoutMs: 20_000,
  stallTimeoutMs: 30_000,
};

export interface UpdateSettings extends Installation {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly product: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly storage: UpdateStorage;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly limits: UpdateLimits;
}

export function readUpdateSettings(options: UpdateClientOptions): UpdateSettings {
  const { platform, channel = DEFAULT_CHANNEL, current, product } = options;
  requireOneOf("platform", platform, DISTRIBUTION_PLATFORMS);
  requireOneOf("channel", channel, RELEASE_CHANNELS);
  const architecture = options.architecture ?? DEFAULT_ARCHITECTURES[platform];
  if (architecture === "") throw wrong("architecture", "is empty: leave it out for the default");
  if (product === "") throw wrong("product", "is empty: give the product that the manifest names");
  if (!isVersion(current.version)) {
    throw wrong("current.version", `"${current.version}" is not three-component SemVer like 1.4.0`);
  }
  if (!Number.isSafeInteger(current.buildNumber) || current.buildNumber < 1) {
    throw wrong("current.buildNumber", "is not a positive integer");
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    product,
    keys: readKeys(options.keys),
    channel,
    platform,
    architecture,
    current: { ...current },
    storage: options.storage ?? createMemoryStorage(),
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
    limits: readLimits(DEFAULT_UPDATE_LIMITS, options.limits, wrong),
  };
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLoopback(url.hostname))) {
    throw wrong("baseUrl", "must be an https address, or http on this machine");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw wrong("baseUrl", "must have no query, fragment or user");
  }
  return url.href.replace(/\/+$/, "");
}

function readKeys(keys: UpdateClientOptions["keys"]): UpdateClientOptions["keys"] {
  const entries = Object.entries(keys);
  if (entries.length === 0) throw wrong("keys", "is empty: pin the active and the standby key");
  for (const [keyId, key] of entries) {
    if (decodeBase64Url(key)?.length !== 32) {
      throw wrong(`keys["${keyId}"]`, "is not 32 bytes in unpadded Base64URL");
    }
  }
  return { ...keys };
}

function requireOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) {
    throw wrong(name, `"${value}" is not one of ${allowed.join(", ")}`);
  }
}

function wrong(name: string, problem: string): TypeError {
  return new TypeError(`Cannot create the update client: ${name} ${problem}`);
}
