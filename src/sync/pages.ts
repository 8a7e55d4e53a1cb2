/** The interfaces of the pages: before sign-in, and of the owner. `web` has what they show. */
import type { Language } from "../contract/language.ts";
import type { OwnerTab } from "../contract/sync/owner-values.ts";
import type { LoginErrorView, OwnerSignInView, OwnerView } from "../contract/sync/page-views.ts";
import type { SYNC_ROUTES } from "../contract/sync/routes.ts";
import type { RouteInput } from "../http/read-input.ts";
import type { HttpResponse } from "../http/response.ts";
import type { RawRequest, RequestContext } from "../http/request.ts";
import type { AllowedRedirect } from "./sign-in/redirect-allowlist.ts";

export type LoginQuery = RouteInput<typeof SYNC_ROUTES.getAuthorizePage>;

export interface LoginPages {
  login(
    query: LoginQuery,
    redirect: AllowedRedirect,
    context: Pick<RequestContext, "header">,
  ): HttpResponse;
  signInLink(lang: Language | undefined, context: Pick<RequestContext, "header">): HttpResponse;
  welcome(lang: Language | undefined, context: Pick<RequestContext, "header">): HttpResponse;
  /** The page for a browser that was sent here with an invalid request. */
  error(view: LoginErrorView, request: Pick<RawRequest, "header" | "target">): HttpResponse;
}

export interface OwnerFrame {
  /** The language of the query, which the addresses of the page keep; null without one. */
  readonly chosen: Language | null;
  readonly tab: OwnerTab;
  readonly request: Pick<RequestContext, "header">;
}

export interface OwnerPages {
  signIn(view: OwnerSignInView, frame: OwnerFrame): HttpResponse;
  owner(status: 200 | 400 | 403, view: OwnerView, frame: OwnerFrame): HttpResponse;
}
