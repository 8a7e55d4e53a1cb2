/** What a run against a sync server is told. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";

export interface SyncInput {
  /** Where the API is asked. */
  readonly baseUrl: string;
  /** The account of the instance. The run writes to it, under ids that nothing else has. */
  readonly username: string;
  readonly password: string;
  /** One of the configured redirect URIs; the default is the one of a fresh configuration. */
  readonly redirectUri?: string;
  /** The base URL the server is set up with, when that is not where it is asked. */
  readonly publicUrl?: string;
  readonly displayName?: string;
  /** The instance's own name in the CSRF header: `Service` makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  /** One of the configured CORS origins. */
  readonly corsOrigin?: string;
  readonly profile?: SyncProfile;
  /** Also test that every device can be revoked at once, which signs the owner's devices out. */
  readonly allowRevokeAll?: boolean;
  /** Also test the throttle, which keeps this address from signing in for a while. */
  readonly allowThrottle?: boolean;
}

export const DEFAULT_REDIRECT_URI = "http://localhost:43823/callback";
export const DEFAULT_HEADER_PREFIX = "Service";
