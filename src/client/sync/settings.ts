import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { SetTimer } from "../transport/deadline.ts";
import type { Fetch } from "../transport/request-text.ts";
import type { DeviceEncryption } from "./encryption.ts";
import type { SyncStorage } from "./storage.ts";
import type { TabApis } from "./tab-apis.ts";

/** The options of the client, read once. */
export interface SyncSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly redirectUri: string;
  readonly storage: SyncStorage;
  readonly deviceName: string;
  readonly profile: ClearProfile;
  readonly live: boolean;
  readonly pollMs: number;
  readonly encryption: DeviceEncryption | null;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly setTimer: SetTimer;
  readonly tabs: TabApis;
}
