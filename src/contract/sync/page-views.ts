/** What the pages of the sync service show. */
import type { SignedInBrowser, SignInItem } from "../identity.ts";
import type { PasskeyError, PasskeyNotice, PasskeysView } from "../passkey-pages.ts";
import type { Attempt } from "./schemas.ts";

export type LoginAttempt = Omit<Attempt, "username">;

export interface LoginErrorView {
  readonly status: number;
  readonly code: string;
  /** Why the page fails, where it has its own words for the reason. */
  readonly reason: "redirect-not-listed" | "suspended" | null;
  readonly requestId: string;
}

export interface OwnerSignInView {
  readonly origin: string;
  /** Identifies the sign-in; the proof signs it. */
  readonly interaction: string;
  readonly csrf: string;
  readonly purpose: string;
  readonly hasPasskeys: boolean;
  /** False before the operator has created the account, and after its owner has deleted it. */
  readonly hasAccount: boolean;
  readonly notice: OwnerSignInNotice | null;
}

export type OwnerSignInNotice =
  | "signed-out"
  | "signed-out-everywhere"
  | "sign-in-again"
  | "everything-deleted";

export type OwnerNotice =
  | "device-named"
  | "device-signed-out"
  | "browser-signed-out"
  | "password-changed"
  | "password-set"
  | PasskeyNotice;

export type OwnerError =
  | "outdated"
  | "device-gone"
  | "browser-gone"
  | "name-too-long"
  | "name-differs"
  | PasskeyError;

/** Forms post an action to the page. */
export interface OwnerView {
  readonly username: string;
  readonly csrf: string;
  /** Identifies a password change; its proof signs it. */
  readonly interaction: string;
  readonly purpose: string;
  /** Whether the person signed in recently enough to change the ways in, and to delete everything. */
  readonly isFresh: boolean;
  readonly hasPassword: boolean;
  readonly devices: readonly OwnerDevice[];
  readonly browsers: readonly SignedInBrowser[];
  /** Null where browsers have no passkeys. */
  readonly passkeys: PasskeysView | null;
  /** The latest first. */
  readonly signIns: readonly SignInItem[];
  readonly usage: OwnerUsage;
  /** Whether the server cannot read the data. */
  readonly isSealed: boolean;
  readonly backups: OwnerBackups;
  readonly notice: OwnerNotice | null;
  readonly error: OwnerError | null;
}

export interface OwnerDevice {
  readonly deviceId: string;
  readonly name: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** When the device is signed out unless it is used before. */
  readonly expiresAt: number;
}

export interface OwnerUsage {
  readonly bytes: number | null;
  /** How much may be used; null without a quota. */
  readonly maxBytes: number | null;
  /** The days of the chart, oldest first. */
  readonly days: readonly { readonly startsAt: number; readonly operations: number }[];
}

export interface OwnerBackups {
  /** Null when no backup is known. */
  readonly last: { readonly createdAt: number; readonly bytes: number | null } | null;
  /** Null while scheduled backups succeed, or there are none. */
  readonly failingSince: number | null;
  /** How often the server makes one; absent when it makes none by itself. */
  readonly every?: "hour" | "day" | "week";
  /** Whether the server has several instances: then their persons cannot make backups. */
  readonly isShared?: boolean;
}
