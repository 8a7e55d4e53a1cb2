/** The responses to the two steps of a sign-in. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { BeginResult, Throttled } from "../../identity/sign-in.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { Granted } from "./password-sign-in.ts";

export function challengeResponse(result: BeginResult): HttpResponse | HttpError {
  if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
  const { expiresAt, ...challenge } = result.challenge;
  const body = { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
  return jsonResponse(200, JSON.stringify(body));
}

/** `toBody` makes the body of the response to a valid proof. */
export function proofResponse<G extends Granted<unknown>>(
  result: G | { readonly kind: "failed" } | Throttled,
  requestId: string,
  toBody: (granted: G) => object,
): HttpResponse | HttpError {
  switch (result.kind) {
    case "granted":
      return jsonResponse(200, JSON.stringify(toBody(result)), {
        [KNOWN_BROWSER_HEADER]: result.knownBrowser,
      });
    case "failed":
      return errorResponse("authentication_failed", requestId);
    case "throttled":
      return { ...result, kind: "rate-limited" };
  }
}
