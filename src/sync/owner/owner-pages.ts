/** The interface of the owner's page, which `server` implements with the owner's page of `web`. */
import type { Language } from "../../contract/language.ts";
import type { OwnerSignInView, OwnerView } from "../../contract/sync/page-views.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";

export interface OwnerFrame {
  /** The language of the query, which the addresses of the page keep; null without one. */
  readonly chosen: Language | null;
  readonly request: Pick<RequestContext, "header">;
}

export interface OwnerPages {
  signIn(view: OwnerSignInView, frame: OwnerFrame): HttpResponse;
  owner(status: 200 | 400 | 403, view: OwnerView, frame: OwnerFrame): HttpResponse;
}
