import type { SoftwarePasskey } from "../authenticator.ts";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";

/**
 * The sync service to test, and an account that the run may write to. Never give it an account that a person
 * uses.
 */
export interface SyncInput {
  /** Where the run sends its requests. */
  readonly baseUrl: string;
  /** The account of the instance. The run writes to it, under ids that are new in every run. */
  readonly username: string;
  /** The password of the account. */
  readonly password: string;
  /** One of the configured redirect URIs; the default is the one of a fresh configuration. */
  readonly redirectUri?: string;
  /** The configured base URL of the server; `baseUrl` when absent. */
  readonly publicUrl?: string;
  /** The configured display name, when it is to be checked. */
  readonly displayName?: string;
  /** The name of the CSRF header's instance: `Service` makes it `X-Service-CSRF`. */
  readonly headerPrefix?: string;
  /** One of the configured CORS origins. */
  readonly corsOrigin?: string;
  /** The configured profile; by default the one that the server names. */
  readonly profile?: SyncProfile;
  /** A passkey of the account that counts no signatures, made by `createAuthenticator`. */
  readonly passkey?: SoftwarePasskey;
  /** Whether to test that every device can be revoked at once, which signs the owner's devices out. */
  readonly allowRevokeAll?: boolean;
  /** Whether to test the throttle, which keeps this address from signing in for a while. */
  readonly allowThrottle?: boolean;
}
