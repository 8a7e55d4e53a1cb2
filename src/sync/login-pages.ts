/** What the service needs of its sign-in page. The page itself is made elsewhere and wired in. */
import type { HttpResponse } from "../http/response.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { RawRequest } from "../http/request-context.ts";
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

export interface LoginProblem {
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
  /** For a person whose browser was sent here with something wrong. */
  problem(problem: LoginProblem, exchange: Pick<RawRequest, "header" | "target">): HttpResponse;
}
