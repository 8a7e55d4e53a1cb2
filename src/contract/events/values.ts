export const PROTOCOL_VERSION = 1;

/** The types that apps know; any other text is possible. */
export const EVENT_TYPES = ["homework", "exam", "test", "presentation", "info"] as const;
/** Apps do not import events of this type: lessons, notices, and deletions. */
export const INFO_TYPE = "info";

/** Apps request 500. */
export const EVENTS_LIMIT_RANGE = { minimum: 1, maximum: 1000 } as const;

/**
 * What a list of events offers beyond the contract. Each response announces it in a member that other
 * clients ignore, and a client asks for nothing that was not announced.
 */
export const EVENTS_EXTRAS = ["deletions", "pages", "server_time"] as const;
/** A capability that an events service announced beyond the contract, such as a list of changes. */
export type EventsExtra = (typeof EVENTS_EXTRAS)[number];

export const SCOPE = "read:events";
export const REALM = "events";

/** Apps redeem at once; a code that leaks through a log or a history has expired. */
export const CODE_LIFETIME_SECONDS = 60;

export const ACCESS_TOKEN_PREFIX = "tre_at_";
/** There are no refresh tokens, so each use extends a token; half a year covers a long break. */
export const ACCESS_IDLE_SECONDS = 180 * 86_400;
/** A person renews the consent once a year. */
export const ACCESS_ABSOLUTE_SECONDS = 365 * 86_400;

/** A state is stored while a person decides, for anyone who asks; apps need 43 characters. */
export const MAX_STATE_CHARACTERS = 1024;
/** A character of the state has up to twelve in percent-encoding; the rest needs less than 2 KiB. */
export const MAX_AUTHORIZE_TARGET_BYTES = 12 * MAX_STATE_CHARACTERS + 2 * 1024;

/** The time that a person has to decide on an app's request. */
export const INTERACTION_LIFETIME_SECONDS = 600;
/** The oldest are evicted; large enough that networks at their rate limits evict no honest person. */
export const MAX_LIVE_INTERACTIONS = 10_000;

/** A browser that was used in the morning is still signed in in the evening. */
export const SESSION_IDLE_SECONDS = 12 * 3600;
export const SESSION_ABSOLUTE_SECONDS = 7 * 86_400;

/** Tombstones stay for more than a year, for apps that are opened once a year. */
export const TOMBSTONE_LIFETIME_SECONDS = 400 * 86_400;

/** How far an app steps back from `server_time` for a cursor: a running write becomes visible later. */
export const CURSOR_MARGIN_SECONDS = 300;

export const LANGUAGE_COOKIE = "trellis-events-language";

export const FORM_TYPE = "application/x-www-form-urlencoded";
export const MAX_TOKEN_BODY_BYTES = 16 * 1024;
export const MAX_PAGE_BODY_BYTES = 64 * 1024;

export interface EventsRateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface EventsRateLimits {
  /** The limit of each client address; sign-ins have the same limit and are counted apart. */
  readonly authorize: EventsRateLimit;
  /** The limit of each client address, revocations included. */
  readonly token: EventsRateLimit;
  /** The limit of each access token. */
  readonly events: EventsRateLimit;
}

export const DEFAULT_EVENTS_RATE_LIMITS: EventsRateLimits = {
  authorize: { requests: 60, windowSeconds: 60 },
  token: { requests: 30, windowSeconds: 60 },
  events: { requests: 120, windowSeconds: 60 },
};

/** Binds a password proof to this service. */
export const LOGIN_PURPOSE = "trellis-events-login";

export const TOKEN_PATH = "/api/oauth/token";
export const REVOKE_PATH = "/api/oauth/revoke";
