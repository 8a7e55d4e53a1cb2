/**
 * The page of sign-in links, in every service with accounts. The secret of a link is the fragment of its
 * address, which browsers send to no server: it is in no log, of ours or of a proxy, and in no referrer.
 * The script of the page sends it in the body, when the person presses the button.
 */
import Type, { type Static } from "typebox";
import { closedObject } from "./closed-object.ts";
import { languageParameter } from "./language-parameter.ts";
import type { DeclaredRoute } from "./route.ts";

export const SIGN_IN_LINK_PATH = "/sign-in-link";

export const SignInLinkBody = closedObject({ link: Type.String() });
export type SignInLinkBody = Static<typeof SignInLinkBody>;

const MAX_BODY_BYTES = 1024;

/** The page that a link opens. */
export const linkPage = <const P extends string>(path: P, summary: string) =>
  ({
    method: "GET",
    path,
    summary,
    query: { lang: languageParameter("invalid_request") },
    responses: {
      200: { description: "An HTML document", schema: Type.String(), mediaType: "text/html" },
    },
  }) as const;

export const signInLinkRoutes = {
  getSignInLinkPage: linkPage(SIGN_IN_LINK_PATH, "The page that a sign-in link opens"),
  redeemSignInLink: {
    method: "POST",
    path: SIGN_IN_LINK_PATH,
    summary: "Use the link up, and make this browser a known one",
    rateLimit: { name: "signInLink", by: "client" },
    body: {
      schema: SignInLinkBody,
      mediaType: "application/json",
      maxBytes: MAX_BODY_BYTES,
      invalid: "invalid_request",
    },
    responses: { 200: { description: "The browser is known", schema: closedObject({}) } },
  },
} as const satisfies Record<string, DeclaredRoute>;

export const SIGN_IN_LINK_REFUSED =
  "The link was used before, has expired or is not complete; ask for a new one";

export function signInLinkAddress(baseUrl: string, secret: string): string {
  return `${baseUrl}${SIGN_IN_LINK_PATH}#${secret}`;
}
