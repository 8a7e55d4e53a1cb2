/** The sign-in page that the service needs; `server/` wires it in. */
import type { RawRequest } from "../http/raw-request.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { HttpResponse } from "../http/response.ts";
import type { AllowedRedirect } from "./redirect-allowlist.ts";

export interface LoginQuery {
  readonly response_type: "code";
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly state: string;
  readonly attempt_id: string;
  readonly device_id: string;
  readonly lang: "de" | "en" | undefined;
}

export interface LoginPageError {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}

export interface LoginPages {
  login(
    query: LoginQuery,
    redirect: AllowedRedirect,
    context: Pick<RequestContext, "header">,
  ): HttpResponse;
  /** For a person whose browser came with an invalid request. */
  error(error: LoginPageError, request: Pick<RawRequest, "header" | "target">): HttpResponse;
}
