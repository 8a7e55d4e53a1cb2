/** The page of sign-in links, and what its button does. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { SIGN_IN_LINK_REFUSED, type SignInLinkBody } from "../../contract/sign-in-link.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { redeemSignInLink } from "../../identity/sign-in-links.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";

const { path } = EVENTS_PAGE_ROUTES.getSignInLinkPage;

export function createSignInLinkHandlers(dependencies: EventsDependencies) {
  const { security, sessions, pages, randomBytes, now } = dependencies;

  return {
    getSignInLinkPage: (_input: unknown, context: RequestContext): HttpResponse =>
      pages.signInLink(sessions.plainFrame(context, path, context.search)),

    /** Other origins cannot send it: the body is JSON, for which a browser needs a preflight, and no preflight allows it. */
    async redeemSignInLink(
      _input: unknown,
      context: RequestContext<unknown, { readonly value: SignInLinkBody }>,
    ): Promise<HttpResponse> {
      if (isCrossOrigin(context)) return errorResponse("csrf_failed");
      const use = { ...sessions.readSignInOrigin(context), link: context.content.value.link };
      const known = await redeemSignInLink(security, use, now(), randomBytes);
      return known === null
        ? errorResponse("authentication_failed", { description: SIGN_IN_LINK_REFUSED })
        : { ...jsonResponse(200, "{}"), cookies: [sessions.writeKnown(known)] };
    },
  };
}
