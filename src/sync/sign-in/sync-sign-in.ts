/** Sign-in of apps: the login page with passwords and passkeys, and the pages of an operator's links. */
import type { LINK_ROUTES } from "../../contract/sync/owner-routes.ts";
import { WELCOME_LIMIT } from "../../contract/welcome.ts";
import type { RouteInput } from "../../http/read-input.ts";
import type { RequestContext } from "../../http/request.ts";
import type { SharedRateLimiter } from "../../http/shared-rate-limit.ts";
import { limitByNetwork } from "../../identity/client-network.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { LoginPages } from "../pages.ts";
import { handleAccount } from "../setup/account.ts";
import {
  createAuthorizeHandlers,
  createAuthorizePage,
  type AuthorizeSettings,
} from "./authorize.ts";
import { createPasskeyHandlers } from "./passkey-handlers.ts";

export interface SyncSignInSettings extends AuthorizeSettings {
  createLimiter(name: "signInLink" | "welcome", limit?: RateLimit): SharedRateLimiter;
}

export function createSyncSignIn(settings: SyncSignInSettings) {
  const { account, createLimiter, pages } = settings;
  return {
    handlers: {
      getAuthorizePage: createAuthorizePage(settings),
      ...createAuthorizeHandlers(settings),
      ...createPasskeyHandlers(settings),
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
