/** What the login page of the sync service shows. */
import type { Attempt } from "./schemas.ts";

export type LoginAttempt = Omit<Attempt, "username">;

export interface LoginErrorView {
  readonly status: number;
  readonly code: string;
  /** Why the page fails, where it has its own words for the reason. */
  readonly reason: "redirect-not-listed" | null;
  readonly requestId: string;
}

export interface OwnerSignInView {
  readonly origin: string;
  /** Identifies the sign-in; the proof signs it. */
  readonly interaction: string;
  readonly csrf: string;
  readonly purpose: string;
  readonly notice: "signed-out" | "signed-out-everywhere" | null;
}

/** Forms post an action to the page: `name`, `revoke`, `sign-out` or `sign-out-everywhere`. */
export interface OwnerView {
  readonly username: string;
  readonly csrf: string;
  /** Identifies a password change; its proof signs it. */
  readonly interaction: string;
  readonly purpose: string;
  readonly devices: readonly OwnerDevice[];
  readonly usage: OwnerUsage;
  /** Whether the server cannot read the data. */
  readonly isSealed: boolean;
  readonly backups: OwnerBackups;
  readonly notice: "device-named" | "device-signed-out" | "password-changed" | null;
  readonly error: "outdated" | "device-gone" | "name-too-long" | null;
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
  /** The name that the operator of several instances gave this one. */
  readonly instance?: string;
}
