import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { OwnerBackups } from "../../contract/sync/page-views.ts";
import type { SyncLimits } from "../../contract/sync/values.ts";
import type { StorageNotice } from "../../database/storage-monitor.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import type { RequestObserver } from "../../http/request-observer.ts";
import type { StoredServiceNotice } from "../../http/stored-service.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { SecurityNotice } from "../../identity/security-event.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { PushReaders } from "../log/push-reader.ts";
import type { SyncQuota, TooManyDevicesNotice } from "../log/quota.ts";
import type { SyncObserver } from "../log/sync-observer.ts";
import type { RedirectEntry } from "../sign-in/redirect-allowlist.ts";
import type { SyncStore } from "../store.ts";

/**
 * The settings of a sync service: its store, its secret key, its public address and the apps that may sign
 * in.
 */
export interface SyncServiceOptions {
  /** Where the service stores its records: `openStore` opens one. */
  readonly store: SyncStore;
  /** 32 secret bytes, or a key that was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** The public address of the service: https, or http on loopback. */
  readonly baseUrl: string;
  /** The name on the sign-in page. */
  readonly displayName: string;
  /** The redirect URIs of the apps that may sign in. */
  readonly redirectUris: readonly RedirectEntry[];
  /** Private-use schemes that are allowed although they have no dot (RFC 8252 7.1). */
  readonly allowedSchemes?: readonly string[];
  /** Exact origins of pages that may use the service; none by default. */
  readonly corsOrigins?: readonly string[];
  /**
   * Also allows the pages and the redirect URIs of every app on this machine, on any port: for development, with
   * a `baseUrl` on loopback.
   */
  readonly allowLoopbackApps?: boolean;
  /** What differs from the default limits. */
  readonly limits?: Partial<SyncLimits>;
  /** A part of the name of the CSRF header: `Service`, the default, makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  /** Which operations are accepted. */
  readonly profile?: SyncProfile;
  /** Whether `/` is a page for the owner; true by default. */
  readonly ownerPage?: boolean;
  /** What the owner's page shows of the backups; by default that none is known. */
  readonly readBackups?: () => Promise<OwnerBackups>;
  /** What the instance may use; no limit by default. */
  readonly quota?: SyncQuota;
  /** Readers that several services in one process share. */
  readonly pushReaders?: PushReaders;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Receives one entry, or one JSON line, per request. */
  readonly log?: RequestLog | RequestLines;
  /** What a program that keeps metrics or traces learns. */
  readonly observer?: RequestObserver & SyncObserver;
  /** Receives what an operator should know; by default it is dropped. */
  readonly onNotice?: (notice: SyncNotice) => void;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The bytes must be cryptographically strong. */
  readonly randomBytes?: RandomBytes;
}

/**
 * What a sync service reports to `onNotice`: security events, a full disk, and errors that no response
 * shows.
 */
export type SyncNotice =
  | StoredServiceNotice
  | StorageNotice
  | SecurityNotice
  /** A device was not signed in, because of `quota.devices`. */
  | TooManyDevicesNotice
  | ChangesNotice;

/** Open streams may notify of a change late, until the next attempt succeeds. */
export type ChangesNotice = { readonly kind: "changes-failed"; readonly error: unknown };
