/**
 * The page of invitations and of links for a forgotten password, in every service with accounts. As with
 * sign-in links, the secret is the fragment of the address, and the script of the page sends it in the body.
 */
import Type, { type Static } from "typebox";
import { closedObject } from "./closed-object.ts";
import { NewVerifier } from "./password-proof.ts";
import { PasskeyCreation, PasskeyRegistration } from "./passkey.ts";
import type { DeclaredRoute } from "./route.ts";
import { linkPage } from "./sign-in-link.ts";

export const WELCOME_PATH = "/welcome";
/** A family needs a weekend; a class its next lesson. */
export const ACCOUNT_LINK_DAYS = 7;
/** A class behind one address opens its links within a minute. Guessing is hopeless: a link has 256 bits. */
export const WELCOME_LIMIT = { requests: 300, windowSeconds: 60 };

const Text = Type.String();

export const WelcomeBody = Type.Union([
  closedObject({ action: Type.Literal("open"), link: Text }),
  closedObject({
    action: Type.Literal("password"),
    link: Text,
    username: Text,
    verifier: NewVerifier,
  }),
  closedObject({ action: Type.Literal("passkey-begin"), link: Text, username: Text }),
  closedObject({
    action: Type.Literal("passkey"),
    link: Text,
    username: Text,
    name: Type.String({ description: "The name of the passkey" }),
    credential: PasskeyRegistration,
  }),
]);
export type WelcomeBody = Static<typeof WelcomeBody>;

const hasPasskeys = Type.Boolean({ description: "Whether the service has passkeys" });

/** What the link is for. */
const WelcomeOpened = Type.Union([
  closedObject({
    kind: Type.Literal("invitation"),
    username: Type.Union([Text, Type.Null()], { description: "The name that is offered" }),
    hasPasskeys,
  }),
  closedObject({
    kind: Type.Literal("reset"),
    username: Text,
    hasPasskeys,
    revokesApps: Type.Boolean({ description: "Whether apps lose their access" }),
  }),
]);
export type WelcomeOpened = Static<typeof WelcomeOpened>;

/** The link can still be used. */
const UsernameTaken = closedObject({ kind: Type.Literal("username-taken") });

const WelcomePasskey = Type.Union([
  UsernameTaken,
  closedObject({ kind: Type.Literal("creation"), creation: PasskeyCreation }),
]);
export type WelcomePasskey = Static<typeof WelcomePasskey>;

const WelcomeUsed = Type.Union([
  UsernameTaken,
  /** The link can still be used. */
  closedObject({ kind: Type.Literal("passkey-refused") }),
  closedObject({
    kind: Type.Literal("done"),
    username: Text,
    next: Type.Union([Text, Type.Null()], { description: "The path of the person's own page" }),
  }),
]);
export type WelcomeUsed = Static<typeof WelcomeUsed>;

const WelcomeResponse = Type.Union([WelcomeOpened, WelcomePasskey, WelcomeUsed]);
export type WelcomeResponse = Static<typeof WelcomeResponse>;

const MAX_BODY_BYTES = 16_384;

export const welcomeRoutes = {
  getWelcomePage: linkPage(WELCOME_PATH, "The page that an invitation or a reset link opens"),
  welcome: {
    method: "POST",
    path: WELCOME_PATH,
    summary: "Ask what a link is for, or use it up",
    rateLimit: { name: "welcome", by: "client" },
    body: {
      schema: WelcomeBody,
      mediaType: "application/json",
      maxBytes: MAX_BODY_BYTES,
      invalid: "invalid_request",
    },
    responses: {
      200: {
        description: "What the link is for, or did",
        schema: WelcomeResponse,
      },
    },
  },
} as const satisfies Record<string, DeclaredRoute>;

export const WELCOME_REFUSED =
  "The link was used before, has expired, was revoked or is not complete; ask for a new one";

export function welcomeAddress(baseUrl: string, secret: string): string {
  return `${baseUrl}${WELCOME_PATH}#${secret}`;
}
