/** The values and grammars of the events contract that need no schema. */

export const PROTOCOL_VERSION = 1;

/** The types that apps know; any other text is a type too, and gets the plain icon. */
export const EVENT_TYPES = ["homework", "exam", "test", "presentation", "info"] as const;
/** What apps never import: lessons, notices, and deletions for those who do not know of them. */
export const INFO_TYPE = "info";

/** The app in the field asks for 500; twice that still is one quick answer. */
export const EVENTS_LIMIT_RANGE = { minimum: 1, maximum: 1000 } as const;

export const SCOPE = "read:events";
export const REALM = "events";

/** The app redeems at once; a code that leaked through a log or a history is dead by then. */
export const CODE_LIFETIME_SECONDS = 60;

export const ACCESS_TOKEN_PREFIX = "tre_at_";
/** The app cannot refresh, so a token lives as long as it is used: half a year covers a holiday. */
export const ACCESS_IDLE_SECONDS = 180 * 86_400;
/** Once in a year the person decides anew. */
export const ACCESS_ABSOLUTE_SECONDS = 365 * 86_400;

/** Between an app's request and the person's decision: time to find a password, not to forget. */
export const INTERACTION_LIFETIME_SECONDS = 600;
/** What a flood of requests may keep alive at most; the oldest go first. A row is small, and many
 * networks at their limits would otherwise push out a person who is typing a password. */
export const MAX_LIVE_INTERACTIONS = 10_000;

/** A browser that was used in the morning is still signed in at night. */
export const SESSION_IDLE_SECONDS = 12 * 3600;
export const SESSION_ABSOLUTE_SECONDS = 7 * 86_400;

/** More than a year, so that an app that is opened once a year still learns of deletions. */
export const TOMBSTONE_LIFETIME_SECONDS = 400 * 86_400;

/**
 * How far an app steps back from `server_time` when it makes a cursor of it: a write may have begun
 * before the answer and be seen after it, and clocks are set.
 */
export const CURSOR_MARGIN_SECONDS = 300;

/** Set by the pages' own scripts: the language that somebody chose with the switch. No secret. */
export const LANGUAGE_COOKIE = "trellis-events-language";

export const FORM_TYPE = "application/x-www-form-urlencoded";
/** A code, a verifier and an address are far below it. */
export const MAX_TOKEN_BODY_BYTES = 16 * 1024;
/** A form with long word rules is far below it. */
export const MAX_PAGE_BODY_BYTES = 64 * 1024;

export interface EventsRateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface EventsRateLimits {
  /** Per client address; the same for begun sign-ins, which are counted apart. */
  readonly authorize: EventsRateLimit;
  /** Per client address; revocations count here too. */
  readonly token: EventsRateLimit;
  /** Per access token. */
  readonly events: EventsRateLimit;
}

/** Many times what people and apps need, far too few to guess or to flood. */
export const DEFAULT_EVENTS_RATE_LIMITS: EventsRateLimits = {
  authorize: { requests: 60, windowSeconds: 60 },
  token: { requests: 30, windowSeconds: 60 },
  events: { requests: 120, windowSeconds: 60 },
};

/** Keeps a proof made here from being one for another service. */
export const LOGIN_PURPOSE = "trellis-events-login";
