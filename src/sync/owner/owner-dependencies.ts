import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { OwnerBackups } from "../../contract/sync/page-views.ts";
import type { StoredServiceNotice } from "../../http/stored-service.ts";
import type { Accounts } from "../../identity/accounts.ts";
import type { CsrfGuard } from "../../identity/csrf.ts";
import type { Passkeys } from "../../identity/passkeys/passkeys.ts";
import type { SecurityLog } from "../../identity/security-log.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { DeviceTokens } from "../devices/device-tokens.ts";
import type { PasskeySignIn } from "../sign-in/passkey-sign-in.ts";
import type { PasswordSignIn } from "../sign-in/password-sign-in.ts";
import type { SyncRecords, SyncStore } from "../store.ts";
import type { OwnerPages } from "../pages.ts";
import type { OwnerSessions } from "./owner-sessions.ts";

export interface OwnerDependencies {
  readonly store: SyncStore;
  readonly security: SecurityLog<SyncRecords>;
  readonly signIn: PasswordSignIn;
  /** Both are null where browsers have no passkeys. */
  readonly passkeySignIn: PasskeySignIn | null;
  readonly passkeys: Passkeys | null;
  readonly tokens: DeviceTokens;
  readonly accounts: Accounts;
  readonly sessions: OwnerSessions;
  readonly csrf: CsrfGuard;
  readonly pages: OwnerPages;
  readonly profile: SyncProfile;
  /** The origin of `baseUrl`. */
  readonly origin: string;
  /** How much the instance may store; null without a quota. */
  readonly maxBytes: number | null;
  readBackups(): Promise<OwnerBackups>;
  onNotice(notice: StoredServiceNotice): void;
  readonly randomBytes: RandomBytes;
  now(): number;
}
