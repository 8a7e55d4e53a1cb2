/** The responses to the two steps of an app's sign-in, whichever way in it takes. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { describeChallenge } from "../../identity/account/page-sign-in.ts";
import type { Granted, Ungranted } from "../../identity/account/ways-in.ts";
import type { BeginResult } from "../../identity/sign-in.ts";
import { errorResponse } from "../responses/error-response.ts";

export function challengeResponse(result: BeginResult): HttpResponse | HttpError {
  return result.kind === "throttled"
    ? { ...result, kind: "rate-limited" }
    : jsonResponse(200, JSON.stringify(describeChallenge(result)));
}

/** `toBody` makes the body of the response to a valid proof. */
export function proofResponse<G extends Granted<unknown>>(
  result: G | Ungranted,
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
