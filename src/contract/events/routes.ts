/** The HTTP surface of the events service for apps. Contract version 1.2.0. */
import Type, { type TSchema } from "typebox";
import { CODE_CHALLENGE_PATTERN } from "../identity.ts";
import {
  createErrorResponses,
  createRoutes,
  type DeclaredResponse,
  type DeclaredRoute,
  type Parameter,
  type ResponseHeader,
  type ServiceContract,
} from "../route.ts";
import { SERVER_PROOF } from "../server-proof.ts";
import { EVENTS_STRICTNESS } from "../strictness.ts";
import type { EventsErrorCode } from "./errors.ts";
import {
  DeletedEvent,
  EventList,
  EventsError,
  EventsHealth,
  EventsTokenResponse,
  RevocationResponse,
  RevocationForm,
  ServerMetadata,
  TokenForm,
  WireEvent,
} from "./schemas.ts";
import {
  EVENTS_LIMIT_RANGE,
  FORM_TYPE,
  MAX_AUTHORIZE_TARGET_BYTES,
  MAX_STATE_CHARACTERS,
  REVOKE_PATH,
  SCOPE,
  TOKEN_PATH,
} from "./values.ts";

export const EVENTS_CONTRACT_VERSION = "1.2.0";

const parameter = <const S extends TSchema>(schema: S, description: string) =>
  ({ schema, description, invalid: "invalid_request" }) as const satisfies Parameter;
const required = <const S extends TSchema>(schema: S, description: string) =>
  ({ ...parameter(schema, description), required: true }) as const satisfies Parameter;

const retryAfter = {
  "Retry-After": { description: "Whole seconds to wait", required: true },
} as const satisfies Record<string, ResponseHeader>;

function failures(...codes: EventsErrorCode[]): Record<number, DeclaredResponse> {
  const { pairOf, errorsOn } = EVENTS_STRICTNESS;
  const refusals = [...codes.map(pairOf), ...errorsOn(["every route"])];
  const responses = createErrorResponses(refusals, { schema: EventsError });
  const limited = responses[429];
  if (limited !== undefined) responses[429] = { ...limited, headers: retryAfter };
  return responses;
}

const unavailable = {
  description: "`temporarily_unavailable`: the store cannot be used now",
  schema: EventsError,
  headers: retryAfter,
} as const satisfies DeclaredResponse;
const challenge = (form: string): Record<string, ResponseHeader> => ({
  "WWW-Authenticate": { description: form },
});
const formFailures = {
  401: {
    description: "`invalid_client`",
    schema: EventsError,
    headers: challenge("Basic, when HTTP Basic was used"),
  },
  503: unavailable,
};
const page = (description: string): DeclaredResponse => ({
  description,
  schema: Type.String(),
  mediaType: "text/html",
});
const redirect = (description: string): DeclaredResponse => ({
  description,
  headers: { Location: { description: "Where the browser goes", required: true } },
});

export const EVENTS_ROUTES = createRoutes({ origin: "events" }, {
  getAuthorizePage: {
    method: "GET",
    path: "/api/oauth/authorize",
    summary: "Request a person's authorization to read their events, in the system browser",
    description:
      "Authorization code with PKCE (RFC 6749 4.1, RFC 7636). The checks have an order; a parameter without a value counts as absent, and one that is not named here is ignored.",
    reads: "raw",
    rateLimit: { name: "authorize", by: "client", pageLoadsOnly: true },
    maxTargetBytes: MAX_AUTHORIZE_TARGET_BYTES,
    query: {
      client_id: required(Type.String({ minLength: 1 }), "A configured client"),
      redirect_uri: required(
        Type.String({ minLength: 1 }),
        "One of the registered addresses of that client, to the letter",
      ),
      response_type: required(Type.Literal("code"), "Always code"),
      code_challenge: required(
        Type.String({ pattern: CODE_CHALLENGE_PATTERN }),
        "PKCE challenge (RFC 7636 4.2)",
      ),
      code_challenge_method: required(Type.Literal("S256"), "Always S256"),
      scope: parameter(Type.Literal(SCOPE), `The requested scope; ${SCOPE} when it is absent`),
      state: parameter(Type.String({ maxLength: MAX_STATE_CHARACTERS }), "Returned unchanged"),
      response_mode: parameter(Type.Literal("query"), "The response is in the query"),
    },
    responses: {
      302: redirect(
        "To the sign-in or the consent page of the service, or back to the app with `error`, `error_description`, `state` and `iss`",
      ),
      400: page("The client or its address is not known: a page, never a redirect"),
      413: page("The request has a body, which is too large"),
      414: page("The address is too long"),
      429: { ...page("Too many requests"), headers: retryAfter },
      500: page("The request failed unexpectedly"),
      503: { ...page("The store cannot be used now"), headers: retryAfter },
    },
  },
  redeemCode: {
    method: "POST",
    path: TOKEN_PATH,
    summary: "Redeem an authorization code for an access token",
    reads: "raw",
    rateLimit: { name: "token", by: "client" },
    body: { schema: TokenForm, mediaType: FORM_TYPE, invalid: "invalid_request" },
    responses: {
      200: { description: "The access token", schema: EventsTokenResponse },
      ...failures("invalid_grant", "unsupported_grant_type", "temporarily_unavailable"),
      ...formFailures,
    },
  },
  revokeToken: {
    method: "POST",
    path: REVOKE_PATH,
    summary: "Revoke an access token (RFC 7009)",
    reads: "raw",
    rateLimit: { name: "token", by: "client" },
    body: { schema: RevocationForm, mediaType: FORM_TYPE, invalid: "invalid_request" },
    responses: {
      200: {
        description: "The token is invalid, whether it was valid before or not",
        schema: RevocationResponse,
      },
      ...failures("temporarily_unavailable"),
      ...formFailures,
    },
  },
  listEvents: {
    method: "GET",
    path: "/api/events",
    summary: "Read all events, or those that changed since a time",
    reads: "raw",
    auth: "bearer",
    rateLimit: { name: "events", by: "principal" },
    query: {
      limit: required(Type.Integer(EVENTS_LIMIT_RANGE), "How many events at most"),
      updated_since: parameter(
        Type.String(),
        "ISO 8601, inclusive; a date-time without an offset, or a date, is read as the earliest time it can be. Absent: a full list, upcoming events first",
      ),
      include_deleted: parameter(
        Type.Enum(["true", "false"], { type: "string" }),
        "With updated_since: whether deletions are listed; false when it is absent",
      ),
    },
    responses: {
      200: {
        description: "The events",
        schema: EventList,
        headers: { Link: { description: 'The next page, rel="next", when there is more' } },
      },
      ...failures("temporarily_unavailable"),
      401: {
        description: "No `Authorization` (then without a body), or `invalid_token`",
        schema: EventsError,
        headers: challenge("Bearer, with the error when a token was given"),
      },
      403: {
        description: "`insufficient_scope`",
        schema: EventsError,
        headers: challenge("Bearer, with error and scope"),
      },
      503: unavailable,
    },
  },
  getServerMetadata: {
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    summary: "Authorization server metadata (RFC 8414)",
    responses: { 200: { description: "The metadata", schema: ServerMetadata }, ...failures() },
  },
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Liveness",
    requestHeaders: SERVER_PROOF.requestHeaders,
    responses: {
      200: {
        description: "The service is up",
        schema: EventsHealth,
        headers: SERVER_PROOF.responseHeaders,
      },
      ...failures(),
      503: unavailable,
    },
  },
} as const satisfies Record<string, DeclaredRoute>);

export const EVENTS_CONTRACT: ServiceContract = {
  title: "Trellis events API",
  version: EVENTS_CONTRACT_VERSION,
  description: "Dated tasks for apps: authorization with PKCE, full and incremental reads.",
  origins: { events: { url: "https://events.example.com", description: "The service" } },
  routes: Object.values(EVENTS_ROUTES),
  schemas: {
    EventsError,
    EventsHealth,
    ServerMetadata,
    TokenForm,
    EventsTokenResponse,
    RevocationForm,
    RevocationResponse,
    Event: WireEvent,
    DeletedEvent,
    EventList,
  },
};
