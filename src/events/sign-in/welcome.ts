/** The page of invitations and reset links, and what its form does. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { WELCOME_REFUSED, type WelcomeBody, type WelcomeUsed } from "../../contract/welcome.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { createWelcome, type Redeemed } from "../../identity/welcome.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { EventsRecords } from "../store.ts";

const { getWelcomePage, getHomePage } = EVENTS_PAGE_ROUTES;

export function createWelcomeHandlers(dependencies: EventsDependencies) {
  const { sessions, pages, timeZone, issuer } = dependencies;
  const welcome = createWelcome({ ...dependencies, hasOneAccount: false });

  return {
    getWelcomePage: (_input: unknown, context: RequestContext): HttpResponse =>
      pages.welcome(
        { address: issuer },
        sessions.plainFrame(context, getWelcomePage.path, context.search),
      ),

    /** As for sign-in links, no other origin can send it. */
    async welcome(
      _input: unknown,
      context: RequestContext<unknown, { readonly value: WelcomeBody }>,
    ): Promise<HttpResponse> {
      if (isCrossOrigin(context)) return errorResponse("csrf_failed");
      const { address } = sessions.readSignInOrigin(context);
      const result = await welcome(context.content.value, address, (records, redeemed) =>
        open(records, redeemed, context),
      );
      switch (result.kind) {
        case "responded":
          return jsonResponse(200, JSON.stringify(result.body));
        case "refused":
          return errorResponse("authentication_failed", { description: WELCOME_REFUSED });
        case "invalid":
          return errorResponse("invalid_request");
        case "granted": {
          const { username, grant: cookies } = result;
          const body: WelcomeUsed = { kind: "done", username, next: getHomePage.path };
          return { ...jsonResponse(200, JSON.stringify(body)), cookies };
        }
      }
    },
  };

  async function open(
    records: EventsRecords,
    { link, account: { accountId } }: Redeemed,
    context: RequestContext,
  ): Promise<string[]> {
    if (link.kind === "invitation") {
      const zone = link.timeZone ?? timeZone;
      await records.profiles.put({ accountId, timeZone: zone, language: null });
    } else {
      await records.sessions.closeAll(accountId);
      await records.grants.revokeCodes(accountId);
      if (link.revokesApps) await records.grants.revokeAll(accountId);
    }
    return sessions.open(records, accountId, context);
  }
}
