/** The authorization endpoint: an app's request, the consent of a person, and the redirect back. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import type { HttpError } from "../../http/http-error.ts";
import { isPageLoad, type RequestContext } from "../../http/request.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import {
  checkAuthorization,
  codeRedirect,
  errorRedirect,
  type AuthorizationRequest,
} from "../../rules/events/wire/authorization.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsRecords } from "../store.ts";
import { consentPath, signInPath } from "./interactions.ts";

const { getSignInPage, getConsentPage } = EVENTS_PAGE_ROUTES;

type Decision =
  | { readonly kind: "decided"; readonly location: string }
  | { readonly kind: "interaction-gone" | "signed-out" };

export function createAuthorizationHandlers(dependencies: EventsDependencies) {
  const { store, clients, issuer, sessions, interactions, pages, now, onNotice } = dependencies;

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
            ? redirectResponse(302, getSignInPage.path)
            : beginInteraction(result.request, context);
      }
    },

    async getConsentPage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const page = await sessions.findPage(context, getConsentPage.path);
      const interaction = parseParameters(context.search).values.get("interaction") ?? "";
      const request = await interactions.find(sessions.readBrowser(context), interaction);
      const client = clients.find(({ id }) => id === request?.clientId);
      if (request === null || client === undefined) {
        return sessions.errorPage(400, "interaction-gone", context, page.frame);
      }
      if (page.session === null) return redirectResponse(302, signInPath(interaction));
      const { redirectUri } = request;
      return pages.consent(
        {
          interaction,
          csrf: page.csrf,
          username: page.session.username,
          appName: client.name,
          redirectUri,
          delivery: /^https?:/i.test(redirectUri) ? "http" : "scheme",
        },
        page.frame,
      );
    },

    async decideConsent(
      _input: unknown,
      context: RequestContext,
    ): Promise<HttpResponse | HttpError> {
      const wantsJson = (context.header("accept") ?? "").includes("application/json");
      const verified = await sessions.verifyForm(context, getConsentPage.path);
      if (verified.kind !== "verified") {
        if (!wantsJson || verified.kind === "unreadable") return verified.response;
        const isForged = verified.kind === "csrf-failed";
        return errorResponse(isForged ? "csrf_failed" : "authentication_failed");
      }
      const { form, page } = verified;
      const action = form.text("action");
      if (action !== "allow" && action !== "deny") {
        return { kind: "malformed-request", status: 400 };
      }
      const browser = sessions.readBrowser(context);
      const interaction = form.text("interaction");
      const decision = await store.transaction((records) =>
        decide(records, browser, interaction, action, page.session),
      );
      switch (decision.kind) {
        case "signed-out":
          return wantsJson
            ? errorResponse("authentication_failed")
            : redirectResponse(303, await interactions.findSignInPath(browser, interaction));
        case "interaction-gone":
          return wantsJson
            ? errorResponse("interaction_expired")
            : sessions.errorPage(400, "interaction-gone", context, page.frame);
        case "decided":
          return wantsJson
            ? jsonResponse(200, JSON.stringify({ redirectUri: decision.location }))
            : redirectResponse(303, decision.location);
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

  async function decide(
    records: EventsRecords,
    browser: string,
    interaction: string,
    action: "allow" | "deny",
    { accountId, sessionHash }: BrowserSession,
  ): Promise<Decision> {
    // A change of the password has closed the session meanwhile, and no code may be issued after it.
    if (!(await records.sessions.isLive(sessionHash, now()))) return { kind: "signed-out" };
    const request = await interactions.take(browser, interaction, records);
    if (request === null || !clients.some(({ id }) => id === request.clientId)) {
      return { kind: "interaction-gone" };
    }
    const { redirectUri, state } = request;
    if (action === "deny") {
      const description = "The person denied the request";
      const error = { error: "access_denied", description, redirectUri, state, issuer } as const;
      return { kind: "decided", location: errorRedirect(error) };
    }
    const code = await dependencies.grants.issueCode(records, accountId, request);
    return { kind: "decided", location: codeRedirect({ code, redirectUri, state, issuer }) };
  }
}
