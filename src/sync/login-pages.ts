/** The interface of the login page. `server` implements it with that of `web`. */
import type { Language } from "../contract/language.ts";
import type { LoginErrorView } from "../contract/sync/page-views.ts";
import type { HttpResponse } from "../http/response.ts";
import type { RawRequest, RequestContext } from "../http/request.ts";
import type { AllowedRedirect } from "./redirect-allowlist.ts";

export interface LoginQuery {
  readonly response_type: "code";
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly state: string;
  readonly attempt_id: string;
  readonly device_id: string;
  readonly lang: Language | undefined;
}

export interface LoginPages {
  login(
    query: LoginQuery,
    redirect: AllowedRedirect,
    context: Pick<RequestContext, "header">,
  ): HttpResponse;
  /** For a browser that was sent here with an invalid request. */
  error(view: LoginErrorView, request: Pick<RawRequest, "header" | "target">): HttpResponse;
}
