import type { ClearProfile, SyncProfile } from "../../contract/sync/operation-limits.ts";
import { hasWebCrypto, randomBytes, type RandomBytes } from "../../rules/web-crypto.ts";
import { setGlobalTimer, type SetTimer } from "../transport/deadline.ts";
import { checkRedirectUri, globalFetch, readBaseUrl } from "../transport/read-options.ts";
import type { Fetch } from "../transport/request-text.ts";
import type { DeviceEncryption } from "./encryption.ts";
import type { SyncStorage } from "./storage.ts";
import { findTabApis, type TabApis } from "./tab-apis.ts";

/** The options of `createSyncClient`, but for `encryption`. */
export interface SyncOptions {
  /** The address of the sync server, without `/v1`: https, or http on loopback for development. */
  readonly baseUrl: string;
  /** The redirect URI exactly as the server lists it. */
  readonly redirectUri: string;
  readonly storage: SyncStorage;
  /** Becomes part of the device's id, which the owner sees in the list of devices. */
  readonly deviceName?: string;
  /** The rules that the app's data obeys, and those of the server unless it is sealed; `habits` by default. */
  readonly profile?: SyncProfile;
  /** Whether the server tells of changes, where it can; otherwise the client asks now and then. */
  readonly live?: boolean;
  /** How often the client asks without live changes. */
  readonly pollSeconds?: number;
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The bytes must be cryptographically strong. */
  readonly randomBytes?: RandomBytes;
  readonly setTimer?: SetTimer;
  /** What tabs of an app use to share one engine; those of the platform by default, null for none. */
  readonly tabs?: TabApis | null;
}

/** `baseUrl` is without a trailing slash. */
export type SyncSettings = Required<Omit<SyncOptions, "profile" | "pollSeconds" | "tabs">> & {
  readonly profile: ClearProfile;
  readonly pollMs: number;
  readonly encryption: DeviceEncryption | null;
  readonly tabs: TabApis;
};

/** `sealed` is no rule for an app's data: the option `encryption` makes the wire so. */
const APP_PROFILES: readonly ClearProfile[] = ["habits", "open"];

const DEFAULT_POLL_SECONDS = 30;
const MAX_POLL_SECONDS = 86_400;

export function readSyncSettings(
  options: SyncOptions & { readonly encryption?: DeviceEncryption },
): SyncSettings {
  const { storage, redirectUri, pollSeconds = DEFAULT_POLL_SECONDS } = options;
  // An app in JavaScript may pass anything as its storage.
  if (typeof (storage as Partial<SyncStorage> | undefined)?.transaction !== "function") {
    throw invalid("storage", "is not of createIndexedDbStorage or createMemorySyncStorage");
  }
  checkRedirectUri(redirectUri, invalid);
  const { profile: named = "habits" } = options;
  const profile = APP_PROFILES.find((name) => name === named);
  if (profile === undefined) {
    throw invalid("profile", `"${named}" is not one of ${APP_PROFILES.join(", ")}`);
  }
  if (!(pollSeconds >= 1 && pollSeconds <= MAX_POLL_SECONDS)) {
    throw invalid("pollSeconds", `must be from 1 to ${MAX_POLL_SECONDS}`);
  }
  if (!hasWebCrypto()) {
    throw new TypeError(
      "Cannot create the sync client: WebCrypto is missing; serve the page over https or from localhost",
    );
  }
  const baseUrl = readBaseUrl(options.baseUrl, invalid);
  if (baseUrl.endsWith("/v1")) throw invalid("baseUrl", "must not end in /v1, which is added");
  return {
    baseUrl,
    redirectUri,
    storage,
    deviceName: options.deviceName ?? "",
    profile,
    live: options.live ?? true,
    pollMs: pollSeconds * 1000,
    encryption: options.encryption ?? null,
    fetch: options.fetch ?? globalFetch,
    now: options.now ?? Date.now,
    randomBytes: options.randomBytes ?? randomBytes,
    setTimer: options.setTimer ?? setGlobalTimer,
    tabs: options.tabs === undefined ? findTabApis() : (options.tabs ?? {}),
  };
}

function invalid(name: string, detail: string): TypeError {
  return new TypeError(`Cannot create the sync client: ${name} ${detail}`);
}
