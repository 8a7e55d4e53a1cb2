import { SCOPE } from "../../../../src/contract/events/values.ts";
import { describeValue, expectStatus, fail } from "../../../expect.ts";
import type { RequestFields } from "../../../http.ts";
import { randomText } from "../../../sign-in-keys.ts";
import { expectAnyToken, expectFailure, expectJsonType, expectObject } from "../../expectations.ts";
import { CLIENT_LIMIT, query } from "../../list.ts";
import { createTokenRequest, listWithToken } from "../../requests.ts";
import { eventsCases, type EventsServerUnderTest } from "../../server-under-test.ts";

export const CONTRACT_TOKEN_CASES = eventsCases({
  "code-redeems-for-an-access-token": {
    title: "A code and its verifier are exchanged for an access token, with status 200",
    section: "events contract, POST /api/oauth/token; Token response",
    async run(server) {
      expectAnyToken(await server.tokenResponse());
    },
  },
  "token-answer-is-json": {
    title: "The token response says that it is JSON",
    section: "events contract, POST /api/oauth/token: JSON token response",
    async run(server) {
      expectJsonType(await server.tokenResponse());
    },
  },
  "token-type-is-bearer": {
    title: "A token type, where there is one, is Bearer",
    section: "events contract, Token response: token_type",
    async run(server) {
      const response = await server.tokenResponse();
      const { token_type: type } = expectObject(response);
      // RFC 6749 5.1: the value is case-insensitive.
      const isBearer = typeof type === "string" && type.toLowerCase() === "bearer";
      if (type === undefined || isBearer) return;
      fail(response, "token_type Bearer", describeValue(type));
    },
  },
  "token-scope-lets-read-events": {
    title: "A scope, where there is one, has read:events",
    section: "events contract, Token response: scope",
    async run(server) {
      const response = await server.tokenResponse();
      const { scope } = expectObject(response);
      const isScope = typeof scope === "string" && scope.split(" ").includes(SCOPE);
      if (scope === undefined || isScope) return;
      fail(response, `a scope with ${SCOPE}`, describeValue(scope));
    },
  },
  "access-token-fits-the-header": {
    title: "An access token can be sent as Authorization: Bearer",
    section: "events contract, Authentication 3 (RFC 6750 2.1)",
    async run(server) {
      const response = await server.tokenResponse();
      if (/^[A-Za-z0-9._~+/-]+=*$/.test(expectAnyToken(response))) return;
      fail(response, "a token of the characters that RFC 6750 allows", "one with others");
    },
  },
  "access-token-opens-the-events": {
    title: "The access token that was given opens the list of events",
    section: "events contract, GET /api/events; Authentication 3",
    async run(server) {
      const token = expectAnyToken(await server.tokenResponse());
      expectStatus(await listWithToken(server, token, query(CLIENT_LIMIT)), 200);
    },
  },
  "unknown-codes-get-no-token": {
    title: "A code that was never given is answered with a status other than 200",
    section: "events contract, POST /api/oauth/token; Errors",
    async run(server) {
      expectFailure(await server.requestToken(createTokenRequest(server)));
    },
  },
  "codes-need-their-verifier": {
    title: "A code is not exchanged with another verifier than its own",
    section: "events contract, Authentication 1: PKCE S256 (RFC 7636 4.6)",
    run: (server) => expectRefusedChange(server, { code_verifier: randomText(64) }),
  },
  "codes-need-a-verifier": {
    title: "A code is not exchanged without a verifier",
    section: "events contract, POST /api/oauth/token: code_verifier",
    run: (server) => expectRefusedChange(server, { code_verifier: undefined }),
  },
  "codes-are-bound-to-their-redirect-uri": {
    title: "A code is not exchanged with another redirect URI than that of its request",
    section: "events contract, POST /api/oauth/token: redirect_uri (RFC 6749 4.1.3)",
    run: (server) =>
      expectRefusedChange(server, { redirect_uri: `${server.redirectUri}/elsewhere` }),
  },
  "codes-are-bound-to-their-client": {
    title: "A code is not exchanged for another client than that of its request",
    section: "events contract, POST /api/oauth/token: client_id (RFC 6749 4.1.3)",
    run: (server) => expectRefusedChange(server, { client_id: `nobody-${randomText(12)}` }),
  },
  "codes-are-for-their-grant-type": {
    title: "A code is not exchanged by another grant type than authorization_code",
    section: "events contract, POST /api/oauth/token: grant_type",
    run: (server) => expectRefusedChange(server, { grant_type: "client_credentials" }),
  },
  "codes-work-once": {
    title: "A code that was exchanged is not exchanged again",
    section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 4.1.2)",
    async run(server) {
      const tokenRequest = await server.newTokenRequest();
      expectAnyToken(await server.requestToken(tokenRequest));
      expectFailure(await server.requestToken(tokenRequest));
    },
  },
});

/** A new code is not redeemed when the token request has this change. */
async function expectRefusedChange(
  server: EventsServerUnderTest,
  change: RequestFields,
): Promise<void> {
  const tokenRequest = await server.newTokenRequest();
  expectFailure(await server.requestToken({ ...tokenRequest, ...change }));
}
