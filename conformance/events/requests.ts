import { NO_ROUTE, type SampleRequest } from "../http-cases.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import { randomText } from "../sign-in-keys.ts";
import { AUTHORIZE } from "./authorize.ts";
import type { EventsServerUnderTest, TokenRequest } from "./server-under-test.ts";

export const TOKEN = "/api/oauth/token";
export const REVOKE = "/api/oauth/revoke";
export const EVENTS = "/api/events";
export const METADATA = "/.well-known/oauth-authorization-server";
export const HEALTH = "/health";
export const FORM: SentHeaders = { "Content-Type": "application/x-www-form-urlencoded" };

export function createTokenRequest(
  server: EventsServerUnderTest,
  code = randomText(43),
  codeVerifier = randomText(64),
): TokenRequest {
  return {
    grant_type: "authorization_code",
    code,
    client_id: server.clientId(),
    redirect_uri: server.redirectUri,
    code_verifier: codeVerifier,
  };
}

export function listWithToken(
  { api }: EventsServerUnderTest,
  token: string,
  query = "limit=1",
): Promise<ReceivedResponse> {
  return api.get(`${EVENTS}?${query}`, { Authorization: `Bearer ${token}` });
}

export async function findSamples(server: EventsServerUnderTest): Promise<SampleRequest[]> {
  const headers = { Authorization: `Bearer ${await server.token()}` };
  const paths = [HEALTH, METADATA, AUTHORIZE, EVENTS, NO_ROUTE];
  return [
    ...paths.map((path) => ({ path })),
    ...["/sign-in", NO_ROUTE].map((path) => ({ path, headers: { Accept: "text/html" } })),
    ...["limit=1", "limit=0"].map((limit) => ({ path: `${EVENTS}?${limit}`, headers })),
  ];
}

export function findOtherRequests(server: EventsServerUnderTest) {
  return [
    () => server.authorize(),
    () => server.authorize({ response_type: "token" }),
    () => server.requestToken({ grant_type: "authorization_code" }),
    () => server.requestToken({ grant_type: "password" }),
    () => server.api.send("POST", TOKEN, FORM, "x".repeat(17 * 1024)),
    () => server.postForm(REVOKE, {}),
    () => server.postForm(REVOKE, { token: "none", client_id: server.clientId() }),
    () => server.api.send("HEAD", HEALTH),
    () => server.api.send("PUT", EVENTS),
  ];
}
