/** The pages of the events service. They are not part of the API document. */
import Type from "typebox";
import {
  AddPasskeyBody,
  AddPasskeyResponse,
  PasskeySignInBody,
  PasskeySignInResponse,
} from "../passkey-pages.ts";
import { ProofResponse, SignInBody } from "../password-proof.ts";
import { createRoutes, type DeclaredRoute } from "../route.ts";
import { signInLinkRoutes } from "../sign-in-link.ts";
import { welcomeRoutes } from "../welcome.ts";

const HTML = { description: "An HTML document", schema: Type.String(), mediaType: "text/html" };
const SEE_OTHER = { description: "To another page" };

/** Handlers read the forms themselves, because errors are shown beside the fields. */
const shown = <const P extends string>(path: P, summary: string) =>
  ({
    method: "GET",
    path,
    summary,
    reads: "raw",
    responses: { 200: HTML, 302: SEE_OTHER },
  }) as const;
const posted = <const P extends string>(path: P, summary: string) =>
  ({
    ...shown(path, summary),
    method: "POST",
    responses: { 200: HTML, 303: SEE_OTHER, 400: HTML, 403: HTML },
  }) as const;

export const EVENTS_PAGE_ROUTES = createRoutes({ origin: "events" }, {
  getHomePage: shown("/", "Links to the other pages"),
  getSignInPage: shown("/sign-in", "Sign in"),
  signIn: {
    method: "POST",
    path: "/sign-in",
    summary: "Begin or complete a password proof",
    body: { schema: SignInBody, mediaType: "application/json", invalid: "invalid_request" },
    rateLimit: { name: "signIn", by: "stranger" },
    responses: { 200: { description: "A challenge, or the next path", schema: ProofResponse } },
  },
  signInWithPasskey: {
    method: "POST",
    path: "/sign-in/passkey",
    summary: "Begin or complete a sign-in with a passkey",
    body: { schema: PasskeySignInBody, mediaType: "application/json", invalid: "invalid_request" },
    rateLimit: { name: "signIn", by: "stranger" },
    responses: {
      200: { description: "A challenge, or the next path", schema: PasskeySignInResponse },
    },
  },
  ...signInLinkRoutes,
  ...welcomeRoutes,
  signOut: posted("/sign-out", "End the session of this browser"),
  getConsentPage: shown("/consent", "The access that an app requests"),
  decideConsent: posted("/consent", "Allow or deny it"),
  getAppsPage: shown("/account/apps", "Connected apps"),
  changeApps: posted("/account/apps", "Disconnect apps"),
  getEventsPage: shown("/account/events", "Events"),
  changeEvents: posted("/account/events", "Add, change or delete events"),
  getSubscriptionsPage: shown("/account/subscriptions", "Subscriptions"),
  changeSubscriptions: posted(
    "/account/subscriptions",
    "Preview, add, change, refresh or end subscriptions",
  ),
  getSettingsPage: shown("/account/settings", "Settings"),
  changeSettings: posted("/account/settings", "Change time zone, language, password or passkeys"),
  addPasskey: {
    method: "POST",
    path: "/account/passkeys",
    summary: "Begin or complete the addition of a passkey",
    body: { schema: AddPasskeyBody, mediaType: "application/json", invalid: "invalid_request" },
    responses: {
      200: { description: "What the browser needs, or the next path", schema: AddPasskeyResponse },
    },
  },
} as const satisfies Record<string, DeclaredRoute>);
