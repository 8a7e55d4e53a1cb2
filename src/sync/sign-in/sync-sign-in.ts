/** Sign-in: the login page with its proofs, the links that let a browser past the throttle, and those to an account. */
import { WELCOME_LIMIT } from "../../contract/welcome.ts";
import type { RequestContext } from "../../http/request.ts";
import { createSharedRateLimiter } from "../../http/shared-rate-limit.ts";
import { limitByNetwork } from "../../identity/client-network.ts";
import { createKeyedHash } from "../../identity/instance-key.ts";
import {
  createAuthorizeHandlers,
  createAuthorizePage,
  type AuthorizePageSettings,
} from "./authorize.ts";
import {
  createPasswordSignIn,
  readSignInOrigin,
  type PasswordSignInSettings,
} from "./password-sign-in.ts";
import { createSignInLinkHandlers } from "./sign-in-link.ts";
import { createWelcomeHandlers, type SyncWelcomeSettings } from "./welcome.ts";

export interface SyncSignInSettings
  extends
    AuthorizePageSettings,
    Omit<PasswordSignInSettings, "limiter">,
    Pick<SyncWelcomeSettings, "ownerSessions" | "hasOwnerPage"> {
  /** The name of the CSRF header, in lower case. */
  readonly csrfHeader: string;
  readonly limits: { readonly authorizePerMinute: number };
}

export function createSyncSignIn(settings: SyncSignInSettings) {
  const { store, instanceKey, limits, now } = settings;
  const hash = createKeyedHash(instanceKey, "sync/hits");
  const limit = { requests: limits.authorizePerMinute, windowSeconds: 60 };
  const createLimiter = (name: "authorize" | "signInLink" | "welcome", own = limit) =>
    createSharedRateLimiter({ store, hash, name, limit: own, now });
  const passwords = createPasswordSignIn({ ...settings, limiter: createLimiter("authorize") });
  const { admission } = passwords;

  return {
    passwords,
    handlers: {
      getAuthorizePage: createAuthorizePage(settings),
      ...createAuthorizeHandlers({ ...settings, signIn: passwords }),
      ...createSignInLinkHandlers(settings),
      ...createWelcomeHandlers(settings),
    },
    rateLimiters: {
      signIn: admission,
      signInLink: limitByNetwork(createLimiter("signInLink")),
      welcome: limitByNetwork(createLimiter("welcome", WELCOME_LIMIT)),
    },
    isKnownBrowser: (context: Pick<RequestContext, "header" | "clientAddress">) =>
      admission.isKnownBrowser(readSignInOrigin(context).knownBrowser),
  };
}
