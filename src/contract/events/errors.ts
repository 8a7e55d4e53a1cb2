/** A route may use another status. RFC 6749 5.2: descriptions are ASCII without quotes and backslashes. */
export const EVENTS_ERRORS = {
  invalid_request: { status: 400, description: "The request is not what this route takes" },
  invalid_grant: {
    status: 400,
    description: "The authorization code cannot be redeemed; connect again",
  },
  unsupported_grant_type: {
    status: 400,
    description: "Only the grant type authorization_code is supported",
  },
  interaction_expired: {
    status: 400,
    description: "This sign-in has ended or was used; start again",
  },
  invalid_client: { status: 401, description: "The client is not known here" },
  invalid_token: {
    status: 401,
    description: "The access token is unknown, expired or revoked; connect again",
  },
  authentication_failed: {
    status: 401,
    description: "The user name or the password is wrong, or this sign-in has expired; try again",
  },
  insufficient_scope: { status: 403, description: "The access token does not allow this" },
  csrf_failed: { status: 403, description: "The request did not come from a page of this service" },
  not_found: { status: 404, description: "There is nothing at this address" },
  method_not_allowed: { status: 405, description: "This route does not take that method" },
  temporarily_unavailable: { status: 429, description: "Too many requests; wait and try again" },
  server_error: { status: 500, description: "The request failed unexpectedly; try again later" },
} as const;

export type EventsErrorCode = keyof typeof EVENTS_ERRORS;
export const EVENTS_ERROR_CODES = Object.keys(EVENTS_ERRORS) as EventsErrorCode[];

/** Codes in redirects to an app (RFC 6749 4.1.2.1). */
export const AUTHORIZATION_ERROR_CODES = [
  "invalid_request",
  "unsupported_response_type",
  "invalid_scope",
  "access_denied",
] as const;
export type AuthorizationErrorCode = (typeof AUTHORIZATION_ERROR_CODES)[number];
