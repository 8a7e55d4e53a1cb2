/** Turns errors into responses of the release contract. */
import { RELEASE_ERRORS } from "../../contract/release/errors.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { RELEASE_STRICTNESS, type Strictness } from "../../contract/strictness.ts";
import { toCodedError, type HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";

/** The list of the contract is closed; an operator who sets a rate limit adds one code to it. */
const ERRORS = {
  ...RELEASE_ERRORS,
  rate_limited: { status: 429, message: "Too many requests; wait and try again" },
} as const;

const STRICTNESS: Strictness<keyof typeof ERRORS> = {
  ...RELEASE_STRICTNESS,
  errors: ERRORS,
  errorOf: (reason) =>
    reason === "rate-limited"
      ? { code: "rate_limited", status: ERRORS.rate_limited.status }
      : RELEASE_STRICTNESS.errorOf(reason),
};

export function toErrorResponse(error: HttpError, requestId: string): HttpResponse {
  const { code, status, headers } = toCodedError(error, STRICTNESS);
  const { message } = ERRORS[code];
  const body = JSON.stringify({ error: { code, message, requestId } });
  const response = jsonResponse(status, body, { "Cache-Control": CACHE.never, ...headers });
  return { ...response, errorCode: code };
}
