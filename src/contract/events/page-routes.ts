/** The pages of the events service. They are not part of the API document. */
import Type from "typebox";
import type { Route } from "../route.ts";
import { ProofResponse, SignInBody } from "./schemas.ts";

const HTML = { description: "An HTML document", schema: Type.String(), mediaType: "text/html" };
const SEE_OTHER = { description: "To another page" };

/** Handlers read the forms themselves, because errors are shown beside the fields. */
const shown = <const I extends string, const P extends string>(
  operationId: I,
  path: P,
  summary: string,
) =>
  ({
    operationId,
    method: "GET",
    origin: "events",
    path,
    summary,
    reads: "raw",
    answers: { 200: HTML, 302: SEE_OTHER },
  }) as const;
const posted = <const I extends string, const P extends string>(
  operationId: I,
  path: P,
  summary: string,
) =>
  ({
    ...shown(operationId, path, summary),
    method: "POST",
    answers: { 200: HTML, 303: SEE_OTHER, 400: HTML, 403: HTML },
  }) as const;

export const EVENTS_PAGE_ROUTES = {
  getHomePage: shown("getHomePage", "/", "Links to the other pages"),
  getSignInPage: shown("getSignInPage", "/sign-in", "Sign in"),
  signIn: {
    operationId: "signIn",
    method: "POST",
    origin: "events",
    path: "/sign-in",
    summary: "Begin or complete a password proof",
    body: { schema: SignInBody, mediaType: "application/json", invalid: "invalid_request" },
    answers: { 200: { description: "A challenge, or the next path", schema: ProofResponse } },
  },
  signOut: posted("signOut", "/sign-out", "End the session of this browser"),
  getConsentPage: shown("getConsentPage", "/consent", "The access that an app requests"),
  decideConsent: posted("decideConsent", "/consent", "Allow or deny it"),
  getAppsPage: shown("getAppsPage", "/account/apps", "Connected apps"),
  changeApps: posted("changeApps", "/account/apps", "Disconnect apps"),
  getEventsPage: shown("getEventsPage", "/account/events", "Events"),
  changeEvents: posted("changeEvents", "/account/events", "Add, change or delete events"),
  getSubscriptionsPage: shown("getSubscriptionsPage", "/account/subscriptions", "Subscriptions"),
  changeSubscriptions: posted(
    "changeSubscriptions",
    "/account/subscriptions",
    "Preview, add, change, refresh or end subscriptions",
  ),
  getSettingsPage: shown("getSettingsPage", "/account/settings", "Settings"),
  changeSettings: posted(
    "changeSettings",
    "/account/settings",
    "Change time zone, language or password",
  ),
} as const satisfies Record<string, Route>;
