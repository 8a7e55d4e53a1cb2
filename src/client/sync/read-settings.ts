import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { hasWebCrypto, randomBytes } from "../../rules/web-crypto.ts";
import { setGlobalTimer } from "../transport/deadline.ts";
import { checkRedirectUri, globalFetch, readBaseUrl } from "../transport/read-options.ts";
import type { SyncEncryption } from "./client-keys.ts";
import { PlatformError } from "./platform-error.ts";
import type { SyncSettings } from "./settings.ts";
import type { SyncStorage } from "./storage.ts";
import type { SyncClientOptions } from "./sync-client.ts";
import { findTabApis } from "./tab-apis.ts";

/** `sealed` is no rule for an app's data: the option `encryption` makes the wire so. */
const APP_PROFILES: readonly ClearProfile[] = ["habits", "open"];

const DEFAULT_POLL_SECONDS = 30;
const MAX_POLL_SECONDS = 86_400;

export function readSyncSettings(options: SyncClientOptions): SyncSettings {
  const { storage, redirectUri, pollSeconds = DEFAULT_POLL_SECONDS } = options;
  const encryption = options.encryption ?? null;
  // An app in JavaScript may pass anything as its storage.
  if (typeof (storage as Partial<SyncStorage> | undefined)?.transaction !== "function") {
    throw invalid(
      "storage",
      "must be of createIndexedDbStorage, createMemorySyncStorage or, in Node, createSqliteStorage",
    );
  }
  if (
    encryption !== null &&
    typeof (encryption as Partial<SyncEncryption>).openKeys !== "function"
  ) {
    throw invalid("encryption", "is not what createEncryption() returns");
  }
  checkRedirectUri(redirectUri, invalid);
  const { profile: named = "habits" } = options;
  const profile = APP_PROFILES.find((name) => name === named);
  if (profile === undefined) {
    throw invalid(
      "profile",
      `"${named}" is not one of ${APP_PROFILES.join(", ")}: it is for the app's own data, and the option encryption seals that`,
    );
  }
  if (!(pollSeconds >= 1 && pollSeconds <= MAX_POLL_SECONDS)) {
    throw invalid("pollSeconds", `must be from 1 to ${MAX_POLL_SECONDS}`);
  }
  if (!hasWebCrypto()) throw new PlatformError("webcrypto-missing");
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
    encryption,
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
