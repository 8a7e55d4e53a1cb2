/** The consent of a person to the request of an app, and the redirect back to the app. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { codeRedirect, errorRedirect } from "../../rules/events/wire/authorization.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsRecords } from "../store.ts";
import { signInPath } from "./interactions.ts";

const { getConsentPage } = EVENTS_PAGE_ROUTES;

type Decision =
  | { readonly kind: "decided"; readonly location: string }
  | { readonly kind: "interaction-gone" | "signed-out" };

export function createConsentHandlers(dependencies: EventsDependencies) {
  const { store, clients, issuer, sessions, interactions, pages, now } = dependencies;

  return {
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
        return { kind: "malformed-request" };
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
