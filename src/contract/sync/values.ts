/** The values and grammars of the sync contract, without TypeBox. */

export const PROTOCOL_VERSION = 1;

/** A request id that may be written to a log and a header as it is. */
export const REQUEST_ID_PATTERN = "^[A-Za-z0-9._~-]{8,128}$";

export const RECOVERY_REASONS = [
  "none",
  "missing_compacted_history",
  "generation_changed",
  "cursor_ahead",
] as const;
export type RecoveryReason = (typeof RECOVERY_REASONS)[number];

export interface SyncLimits {
  readonly maxBodyBytes: number;
  readonly maxPushOperations: number;
  readonly maxPullOperations: number;
  /** Sign-ins that one network may begin in a minute. */
  readonly authorizePerMinute: number;
}

export const DEFAULT_SYNC_LIMITS: SyncLimits = {
  // A hundred habits with long notes; small enough for the body limits of common proxies.
  maxBodyBytes: 262_144,
  maxPushOperations: 100,
  maxPullOperations: 500,
  // The events service has the same limit: far more than a household needs, and few for a flood.
  authorizePerMinute: 60,
};
/** An operator may lower every limit, and raise those of the body and of sign-ins. */
export const SYNC_LIMIT_RANGES = {
  maxBodyBytes: { minimum: 1024, maximum: 4_194_304 },
  maxPushOperations: { minimum: 1, maximum: 100 },
  maxPullOperations: { minimum: 1, maximum: 500 },
  authorizePerMinute: { minimum: 1, maximum: 100_000 },
} as const;
export const DEFAULT_PULL_LIMIT = 100;

/** Open streams of changes: a device has a few tabs, and an account not more devices than this. */
export const MAX_STREAMS_PER_DEVICE = 4;
export const MAX_STREAMS_PER_INSTANCE = 1000;
/** Shorter than the 30 or 60 seconds after which proxies and networks give up a silent connection. */
export const CHANGES_COMMENT_SECONDS = 25;

export const CODE_LIFETIME_SECONDS = 60;
/** Short, because a stolen token is valid until it expires or is revoked. */
export const ACCESS_LIFETIME_SECONDS = 300;
/** A device that is used once in two months stays signed in. */
export const REFRESH_IDLE_SECONDS = 5_184_000;
export const REFRESH_ABSOLUTE_SECONDS = 31_536_000;
/** A lost response must not sign a phone out: within this time, a retry gets the same new token. */
export const REFRESH_GRACE_SECONDS = 120;

export const ACCESS_TOKEN_PREFIX = "trs_at_";
export const REFRESH_TOKEN_PREFIX = "trs_rt_";

export const LOGIN_PURPOSE = "trellis-sync-login";
