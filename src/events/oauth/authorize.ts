/** GET /api/oauth/authorize: from an app's request to the page on which a person decides. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { isPageLoad, type RequestContext } from "../../http/request-context.ts";
import {
  checkAuthorization,
  type AuthorizationRequest,
} from "../../rules/events/wire/check-authorization.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { errorAddress } from "../../rules/events/wire/redirect-address.ts";
import { consentAddress, signInAddress } from "../addresses.ts";
import { nameBrowser } from "../name-browser.ts";
import { answerPageProblem } from "../page-problem.ts";
import type { EventsDependencies } from "../parts.ts";

export function createAuthorizeHandler(parts: EventsDependencies) {
  const { store, clients, issuer, interactions } = parts;

  return async (_input: unknown, context: RequestContext): Promise<HttpResponse> => {
    const outcome = checkAuthorization(parseParameters(context.search), clients);
    switch (outcome.kind) {
      case "page-error": {
        const { frame } = await parts.visits.find(context, EVENTS_ROUTES.getAuthorizePage.path);
        return answerPageProblem(parts.pages, 400, outcome.code, context, frame);
      }
      case "redirect-error":
        return redirectResponse(302, errorAddress({ ...outcome, issuer }));
      case "accepted":
        // Images and frames of other sites must not push out the requests of others.
        return context.method === "HEAD" || !isPageLoad(context)
          ? redirectResponse(302, EVENTS_PAGE_ROUTES.getSignInPage.path)
          : beginInteraction(outcome.request, context);
    }
  };

  /** The one thing a GET may change: a short-lived record that is good for this browser alone. */
  async function beginInteraction(
    request: AuthorizationRequest,
    context: RequestContext,
  ): Promise<HttpResponse> {
    const { browser, headers } = nameBrowser(parts, context);
    const session = await parts.sessions.find(context);
    const id = await store.transaction((records) => interactions.add(records, browser, request));
    return redirectResponse(
      302,
      session === null ? signInAddress(id) : consentAddress(id),
      headers,
    );
  }
}
