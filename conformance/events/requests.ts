import { MAX_TARGET_BYTES } from "../../src/contract/route.ts";
import type { MethodsByPath } from "../every-service.ts";
import { expectEach } from "../expect.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import { AUTHORIZE } from "./authorize.ts";
import { randomText } from "../sign-in-keys.ts";
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

export const METHODS_BY_PATH: MethodsByPath = {
  [AUTHORIZE]: ["GET", "HEAD"],
  [TOKEN]: ["POST"],
  [REVOKE]: ["POST"],
  [EVENTS]: ["GET", "HEAD"],
  [METADATA]: ["GET", "HEAD"],
  [HEALTH]: ["GET", "HEAD"],
};

export async function checkEveryResponse(
  server: EventsServerUnderTest,
  check: (response: ReceivedResponse) => unknown,
): Promise<void> {
  const { api } = server;
  const requests: (() => Promise<ReceivedResponse>)[] = [
    () => api.get(HEALTH),
    () => api.get(METADATA),
    () => api.get(AUTHORIZE),
    () => server.authorize(),
    () => server.authorize({ response_type: "token" }),
    () => api.get("/sign-in", { Accept: "text/html" }),
    () => api.get(`${EVENTS}?limit=1`),
    () => server.list("limit=1"),
    () => server.list("limit=0"),
    () => server.requestToken({ grant_type: "authorization_code" }),
    () => server.requestToken({ grant_type: "password" }),
    () => api.send("POST", TOKEN, FORM, "x".repeat(17 * 1024)),
    () => server.postForm(REVOKE, {}),
    () => server.postForm(REVOKE, { token: "none", client_id: server.clientId() }),
    () => api.get("/no/such/route"),
    () => api.get("/no/such/route", { Accept: "text/html" }),
    () => api.get("/%zz"),
    () => api.get(`/${"y".repeat(MAX_TARGET_BYTES)}`),
    () => api.send("PUT", EVENTS),
    () => api.send("HEAD", HEALTH),
  ];
  await expectEach(requests, async (send) => check(await send()));
}
