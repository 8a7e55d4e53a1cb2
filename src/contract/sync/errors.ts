/** The error codes of the sync service, with status and public text of each. */

export const SYNC_ERRORS = {
  invalid_request: { status: 400, message: "The request is not what this route takes" },
  invalid_json: { status: 400, message: "The body is not JSON in UTF-8, or gives a name twice" },
  invalid_authorization_request: {
    status: 400,
    message: "The sign-in request is incomplete or wrong; start again from the app",
  },
  invalid_grant: {
    status: 400,
    message: "The authorization code cannot be redeemed; sign in again",
  },
  unsupported_grant_type: { status: 400, message: "This grant type is not supported" },
  invalid_cursor: { status: 400, message: "The cursor is malformed; pull from the first page" },
  invalid_sync_operation: { status: 400, message: "An operation breaks a rule" },
  authentication_failed: {
    status: 401,
    message: "The user name or the password is wrong, or this sign-in has expired; try again",
  },
  invalid_access_token: { status: 401, message: "The access token is not valid; refresh it" },
  invalid_refresh_token: { status: 401, message: "The refresh token is not valid; sign in again" },
  csrf_failed: { status: 403, message: "The request did not come from the sign-in page" },
  cors_denied: { status: 403, message: "This origin is not allowed here" },
  key_replaced: {
    status: 403,
    message: "The account's key was replaced: enter the new recovery key",
  },
  key_unknown: {
    status: 403,
    message: "The request does not prove the account's key, so nothing was stored",
  },
  not_found: { status: 404, message: "There is nothing at this address" },
  method_not_allowed: { status: 405, message: "This route does not take that method" },
  operation_conflict: {
    status: 409,
    message: "An operation id was used before with other content; nothing was stored",
  },
  too_many_keys: {
    status: 409,
    message: "The account has had as many keys as it may have",
  },
  payload_too_large: { status: 413, message: "The body is too large" },
  request_target_too_large: { status: 414, message: "The address is too long" },
  unsupported_media_type: {
    status: 415,
    message: "The body must be application/json in UTF-8, not encoded",
  },
  rate_limited: { status: 429, message: "Too many attempts; wait and try again" },
  internal_error: { status: 500, message: "The request failed unexpectedly; try again later" },
  storage_unavailable: { status: 503, message: "The store cannot be used now; try again soon" },
  quota_exceeded: {
    status: 507,
    message:
      "Your storage on this server is used up, so nothing was stored; the operator of the server can allow more",
  },
} as const;

export type SyncErrorCode = keyof typeof SYNC_ERRORS;
export const SYNC_ERROR_CODES = Object.keys(SYNC_ERRORS) as SyncErrorCode[];
