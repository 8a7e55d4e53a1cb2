/** Sign-in of apps: the login page with passwords and passkeys, and the pages of an operator's links. */
import type { LINK_ROUTES } from "../../contract/sync/owner-routes.ts";
import { WELCOME_LIMIT } from "../../contract/welcome.ts";
import type { RouteInput } from "../../http/read-input.ts";
import type { RequestContext } from "../../http/request.ts";
import { limitByNetwork } from "../../identity/client-network.ts";
import type { LoginPages } from "../pages.ts";
import { handleAccount } from "../setup/account.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import { createAuthorizeHandlers, createAuthorizePage } from "./authorize.ts";
import { createPasskeyHandlers } from "./passkey-handlers.ts";

export function createSyncSignIn(dependencies: SyncDependencies) {
  const { account, createLimiter, pages } = dependencies;
  return {
    handlers: {
      getAuthorizePage: createAuthorizePage(dependencies),
      ...createAuthorizeHandlers(dependencies),
      ...createPasskeyHandlers(dependencies),
      ...createLinkPages(pages),
      redeemSignInLink: handleAccount(account.redeemSignInLink),
      welcome: handleAccount(account.welcome),
    },
    rateLimiters: {
      signIn: account.waysIn.admission,
      signInLink: limitByNetwork(createLimiter("signInLink")),
      welcome: limitByNetwork(createLimiter("welcome", WELCOME_LIMIT)),
    },
  };
}

type PageQuery = RouteInput<typeof LINK_ROUTES.getSignInLinkPage>;

/** The pages need no store. */
export function createLinkPages(pages: LoginPages) {
  return {
    getSignInLinkPage: ({ lang }: PageQuery, context: RequestContext) =>
      pages.signInLink(lang, context),
    getWelcomePage: ({ lang }: PageQuery, context: RequestContext) => pages.welcome(lang, context),
  };
}
