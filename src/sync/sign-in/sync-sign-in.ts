/** Sign-in: the login page with passwords and passkeys, and the links of an operator: past the throttle, to an account. */
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
import type { Passkeys } from "../../identity/passkeys/passkeys.ts";
import { createPasskeyHandlers } from "./passkey-handlers.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import { createSignInLinkHandlers } from "./sign-in-link.ts";
import { createWelcomeHandlers, type SyncWelcomeSettings } from "./welcome.ts";

export interface SyncSignInSettings
  extends
    AuthorizePageSettings,
    Omit<PasswordSignInSettings, "limiter">,
    Pick<SyncWelcomeSettings, "ownerSessions" | "hasOwnerPage"> {
  /** The name of the CSRF header, in lower case. */
  readonly csrfHeader: string;
  /** Null where browsers have no passkeys. */
  readonly passkeys: Passkeys | null;
  readonly limits: { readonly authorizePerMinute: number };
}

export function createSyncSignIn(settings: SyncSignInSettings) {
  const { store, instanceKey, limits, passkeys, now } = settings;
  const hash = createKeyedHash(instanceKey, "sync/hits");
  const limit = { requests: limits.authorizePerMinute, windowSeconds: 60 };
  const createLimiter = (name: "authorize" | "signInLink" | "welcome", own = limit) =>
    createSharedRateLimiter({ store, hash, name, limit: own, now });
  const passwords = createPasswordSignIn({ ...settings, limiter: createLimiter("authorize") });
  const { admission } = passwords;
  const withPasskeys =
    passkeys === null ? null : createPasskeySignIn({ ...settings, passkeys, admission });

  return {
    passwords,
    /** Null where browsers have no passkeys. */
    passkeys: withPasskeys,
    handlers: {
      getAuthorizePage: createAuthorizePage(settings),
      ...createAuthorizeHandlers({ ...settings, signIn: passwords }),
      ...createPasskeyHandlers({ ...settings, signIn: withPasskeys }),
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
