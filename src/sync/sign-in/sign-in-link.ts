/** The page of sign-in links, and what its button does. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import { SIGN_IN_LINK_REFUSED, type SignInLinkBody } from "../../contract/sign-in-link.ts";
import type { LINK_ROUTES } from "../../contract/sync/owner-routes.ts";
import type { RouteInput } from "../../http/read-input.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import type { SecurityLog } from "../../identity/security-log.ts";
import { redeemSignInLink } from "../../identity/sign-in-links.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { LoginPages } from "../pages.ts";
import { readSignInOrigin } from "./password-sign-in.ts";
import type { SyncRecords } from "../store.ts";

export interface SignInLinkSettings {
  readonly security: SecurityLog<SyncRecords>;
  readonly pages: LoginPages;
  readonly randomBytes: RandomBytes;
  now(): number;
}

type PageQuery = RouteInput<typeof LINK_ROUTES.getSignInLinkPage>;
type LinkContext = RequestContext<unknown, { readonly value: SignInLinkBody }>;

/** The page needs no store. */
export function createSignInLinkPage(pages: LoginPages) {
  return ({ lang }: PageQuery, context: RequestContext): HttpResponse =>
    pages.signInLink(lang, context);
}

export function createSignInLinkHandlers(settings: SignInLinkSettings) {
  const { security, pages, randomBytes, now } = settings;

  return {
    getSignInLinkPage: createSignInLinkPage(pages),

    /** Other origins cannot send it: the body is JSON, for which a browser needs a preflight, and no preflight allows it. */
    async redeemSignInLink(_input: unknown, context: LinkContext): Promise<HttpResponse> {
      const { requestId, content } = context;
      if (isCrossOrigin(context)) return errorResponse("csrf_failed", requestId);
      const use = { ...readSignInOrigin(context), link: content.value.link };
      const value = await redeemSignInLink(security, use, now(), randomBytes);
      return value === null
        ? errorResponse("authentication_failed", requestId, { message: SIGN_IN_LINK_REFUSED })
        : jsonResponse(200, "{}", { [KNOWN_BROWSER_HEADER]: value });
    },
  };
}
