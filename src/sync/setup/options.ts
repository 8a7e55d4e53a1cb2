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
  readonly store: SyncStore;
  /** 32 secret bytes, or a key that was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** The public address of the service: https, or http on loopback. */
  readonly baseUrl: string;
  readonly displayName: string;
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
  readonly limits?: Partial<SyncLimits>;
  /** A part of the name of the CSRF header: `Service`, the default, makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  readonly profile?: SyncProfile;
  /** Whether `/` is a page for the owner; true by default. */
  readonly ownerPage?: boolean;
  /** What the owner's page shows of the backups; by default that none is known. */
  readonly readBackups?: () => Promise<OwnerBackups>;
  /** What the instance may use; no limit by default. */
  readonly quota?: SyncQuota;
  /** Readers that several services in one process share. */
  readonly pushReaders?: PushReaders;
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog | RequestLines;
  /** What a program that keeps metrics or traces learns. */
  readonly observer?: RequestObserver & SyncObserver;
  readonly onNotice?: (notice: SyncNotice) => void;
  readonly now?: () => number;
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
