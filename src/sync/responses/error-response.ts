/** Turns errors into responses of the sync contract. */
import { SYNC_ERRORS, type SyncErrorCode } from "../../contract/sync/errors.ts";
import { SYNC_STRICTNESS } from "../../contract/strictness.ts";
import { toCodedError, type HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";

const MAX_MESSAGE_LENGTH = 512;
const UNLISTED_REDIRECT_MESSAGE =
  "The redirect URI is not on the list of this server; its operator can add it";

export interface ErrorDetails {
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function errorResponse(
  code: SyncErrorCode,
  requestId: string,
  details: ErrorDetails = {},
): HttpResponse {
  const message = (details.message ?? SYNC_ERRORS[code].message).slice(0, MAX_MESSAGE_LENGTH);
  const body = JSON.stringify({ error: code, message, requestId });
  const status = details.status ?? SYNC_ERRORS[code].status;
  return { ...jsonResponse(status, body, details.headers), errorCode: code };
}

export function toErrorResponse(error: HttpError, requestId: string): HttpResponse {
  const { code, ...details } = toCodedError(error, SYNC_STRICTNESS);
  return errorResponse(code, requestId, {
    ...details,
    ...(isUnlistedRedirect(error) && { message: UNLISTED_REDIRECT_MESSAGE }),
  });
}

/** Whether the redirect URI is well-formed, but not on the list of the configuration. */
export function isUnlistedRedirect(error: HttpError): boolean {
  return error.kind === "invalid-parameter" && error.reason === "not-listed";
}

export function toSyncErrorCode(error: HttpError): SyncErrorCode {
  return toCodedError(error, SYNC_STRICTNESS).code;
}
