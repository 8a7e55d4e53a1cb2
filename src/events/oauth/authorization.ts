/** The authorization endpoint: the request of an app, which a person then consents to. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import { isPageLoad, type RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import {
  checkAuthorization,
  errorRedirect,
  type AuthorizationRequest,
} from "../../rules/events/wire/authorization.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { consentPath, signInPath } from "./interactions.ts";

export function createAuthorizationHandlers(dependencies: EventsDependencies) {
  const { clients, issuer, sessions, interactions, onNotice } = dependencies;

  return {
    async getAuthorizePage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const parameters = parseParameters(context.search);
      const result = checkAuthorization(parameters, clients);
      switch (result.kind) {
        case "page-error": {
          if (result.code === "unregistered-redirect" && parameters.values.has("redirect_uri")) {
            const { requestId } = context;
            onNotice({ kind: "redirect-not-listed", requestId, clientId: result.clientId });
          }
          const { frame } = await sessions.findPage(context, EVENTS_ROUTES.getAuthorizePage.path);
          return sessions.errorPage(400, result.code, context, frame);
        }
        case "redirect-error":
          return redirectResponse(302, errorRedirect({ ...result, issuer }));
        case "accepted":
          return context.method === "HEAD" || !isPageLoad(context)
            ? redirectResponse(302, EVENTS_PAGE_ROUTES.getSignInPage.path)
            : beginInteraction(result.request, context);
      }
    },
  };

  /** The only write of a GET: a short-lived record that is bound to this browser. */
  async function beginInteraction(
    request: AuthorizationRequest,
    context: RequestContext,
  ): Promise<HttpResponse> {
    const { browser, cookies } = sessions.ensureBrowser(context);
    const session = await sessions.find(context);
    const id = await interactions.add(browser, request);
    const location = session === null ? signInPath(id) : consentPath(id);
    return { ...redirectResponse(302, location), cookies };
  }
}
