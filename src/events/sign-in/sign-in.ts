/** The sign-in page, the pages of an operator's links, and sign-out. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { LOGIN_PURPOSE } from "../../contract/events/values.ts";
import type { PasskeySignInBody } from "../../contract/passkey-pages.ts";
import type { SignInBody } from "../../contract/password-proof.ts";
import type { HttpError } from "../../http/http-error.ts";
import { isOpenedElsewhere, type RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { consentPath, findOwnPath } from "../oauth/interactions.ts";
import { errorResponse } from "../responses/error-response.ts";
import { handleAccount } from "../setup/account.ts";

const { getHomePage, getSignInPage, getSignInLinkPage, getWelcomePage, signOut } =
  EVENTS_PAGE_ROUTES;

type Posted<Body> = RequestContext<undefined, { readonly value: Body }>;
type Handled = Promise<HttpResponse | HttpError>;

export function createSignInHandlers(dependencies: EventsDependencies) {
  const { account, clients, interactions, sessions, pages, issuer, onNotice } = dependencies;

  const signIn = handleAccount(account.signIn);
  const signInWithPasskey = handleAccount(account.signInWithPasskey);

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
          csrf: account.csrf.signInToken(browser, interaction),
          purpose: LOGIN_PURPOSE,
          appName: app?.name ?? null,
          hasPasskeys: account.passkeys !== null,
        },
        page.frame,
      );
      return { ...response, cookies };
    },

    async signIn(input: unknown, context: Posted<SignInBody>): Handled {
      return (await findExpired(context)) ?? signIn(input, context);
    },
    async signInWithPasskey(input: unknown, context: Posted<PasskeySignInBody>): Handled {
      return (await findExpired(context)) ?? signInWithPasskey(input, context);
    },

    getSignInLinkPage: (_input: unknown, context: RequestContext): HttpResponse =>
      pages.signInLink(sessions.plainFrame(context, getSignInLinkPage.path, context.search)),
    redeemSignInLink: handleAccount(account.redeemSignInLink),
    getWelcomePage: (_input: unknown, context: RequestContext): HttpResponse =>
      pages.welcome(
        { address: issuer },
        sessions.plainFrame(context, getWelcomePage.path, context.search),
      ),
    welcome: handleAccount(account.welcome),

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

  /** A sign-in for an app does not begin when the app's request has expired. */
  async function findExpired(
    context: Posted<SignInBody | PasskeySignInBody>,
  ): Promise<HttpResponse | null> {
    const { action, csrf } = context.content.value;
    const interaction = action === "begin" ? account.checks.readInteraction(csrf, context) : null;
    if (interaction === null || findOwnPath(interaction) !== null) return null;
    const request = await interactions.find(sessions.readBrowser(context), interaction);
    return request === null ? errorResponse("interaction_expired") : null;
  }

  /** Undefined when the interaction is gone, or another browser began it. */
  async function findApp(browser: string, interaction: string) {
    const request = await interactions.find(browser, interaction);
    return clients.find(({ id }) => id === request?.clientId);
  }
}
