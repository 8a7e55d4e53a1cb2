/** The sign-in page, and sign-out. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { LOGIN_PURPOSE } from "../../contract/events/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { isOpenedElsewhere, type RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { consentPath } from "../oauth/interactions.ts";

const { getHomePage, getSignInPage, signOut } = EVENTS_PAGE_ROUTES;

export function createSignInHandlers(dependencies: EventsDependencies) {
  const { clients, csrf, interactions, passkeys, sessions, pages, issuer, onNotice } = dependencies;

  return {
    async getSignInPage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const page = await sessions.findPage(context, getSignInPage.path);
      const { values } = parseParameters(context.search);
      const given = values.get("interaction");
      const ownPage = values.get("next") === "settings" ? "settings" : "home";
      const { browser, cookies } = sessions.ensureBrowser(context);
      const app = given === undefined ? null : await findApp(browser, given);
      if (app === undefined) {
        return sessions.errorPage(400, "interaction-gone", context, page.frame);
      }
      if (page.session !== null) {
        return redirectResponse(302, given === undefined ? getHomePage.path : consentPath(given));
      }
      if (isOpenedElsewhere(context, issuer)) {
        onNotice({ kind: "opened-elsewhere", requestId: context.requestId });
      }
      const interaction = given ?? interactions.createOwnId(ownPage);
      const response = pages.signIn(
        {
          origin: issuer,
          interaction,
          csrf: csrf.signInToken(browser, interaction),
          purpose: LOGIN_PURPOSE,
          appName: app?.name ?? null,
          hasPasskeys: passkeys !== null,
        },
        page.frame,
      );
      return { ...response, cookies };
    },

    async signOut(_input: unknown, context: RequestContext): Promise<HttpResponse | HttpError> {
      const verified = await sessions.verifyForm(context, signOut.path);
      if (verified.kind !== "verified") return verified.response;
      const cookie = await sessions.close(context);
      const { form } = verified;
      const location =
        form.text("next") === "settings"
          ? `${getSignInPage.path}?next=settings`
          : await interactions.findSignInPath(
              sessions.readBrowser(context),
              form.text("interaction"),
            );
      return { ...redirectResponse(303, location), cookies: [cookie] };
    },
  };

  /** Undefined when the interaction is gone, or another browser began it. */
  async function findApp(browser: string, interaction: string) {
    const request = await interactions.find(browser, interaction);
    return clients.find(({ id }) => id === request?.clientId);
  }
}
