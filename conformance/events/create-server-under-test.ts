import { skipUnless } from "../case.ts";
import { createQueue, DEFAULT_REDIRECT_URI, ignoreConformanceErrors, memoize } from "../check.ts";
import { fail } from "../expect.ts";
import { hideSecrets } from "../hide-secrets.ts";
import { encodeFields, type HttpClient } from "../http.ts";
import { retryRateLimited } from "../retry-rate-limited.ts";
import {
  createAuthorizationRequest,
  createAuthorizePath,
  parseRedirect,
  toAuthorizePath,
} from "./authorize.ts";
import { createBrowser, type Browser } from "./browser.ts";
import { expectAnyToken } from "./expectations.ts";
import { EVENTS_HTTP } from "./http-table.ts";
import type { EventsInput } from "./input.ts";
import {
  createTokenRequest,
  EVENTS,
  findOtherRequests,
  findSamples,
  FORM,
  REVOKE,
  TOKEN,
} from "./requests.ts";
import type {
  AuthorizationResponse,
  EventsServerUnderTest,
  TokenRequest,
} from "./server-under-test.ts";

const NO_CLIENT = "No client is known; name one of the service's with --client-id";
const NO_PERSON =
  "No account can allow the client; give --username and --password-stdin, or run it at a terminal";
const NO_ACCOUNT =
  "This needs the pages of Trellis and an account; give --username and --password-stdin";

export function createEventsServerUnderTest(
  input: EventsInput,
  http: HttpClient,
): EventsServerUnderTest {
  const api = retryRateLimited(http.origin(input.baseUrl));
  const tokens = new Set<string>();
  const askPerson = createPerson(input);

  const server: EventsServerUnderTest = {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    http: EVENTS_HTTP,
    samples: () => findSamples(server),
    otherRequests: async () => findOtherRequests(server),
    redirectUri: input.redirectUri ?? DEFAULT_REDIRECT_URI,
    clientId() {
      skipUnless(input.clientId !== undefined, NO_CLIENT);
      return input.clientId;
    },
    newBrowser: () => createBrowser(api),
    account() {
      skipUnless(input.account !== undefined, NO_ACCOUNT);
      return input.account;
    },
    signedIn: memoize(() => signIn(server)),
    authorize: async (changes = {}, suffix = "") =>
      api.get((await createAuthorizePath(server, changes)) + suffix),
    authorizationResponse: memoize(() => obtainCode(server, askPerson)),
    tokenResponse: memoize(async () =>
      server.requestToken(toTokenRequest(server, await server.authorizationResponse())),
    ),
    token: async () => input.accessToken ?? expectAnyToken(await server.tokenResponse()),
    newTokenRequest: async () => toTokenRequest(server, await obtainCode(server, askPerson)),
    postForm: (path, fields, headers = {}) =>
      api.send(
        "POST",
        path,
        { ...FORM, ...headers },
        typeof fields === "string" ? fields : encodeFields(fields),
      ),
    async requestToken(fields) {
      const response = await server.postForm(TOKEN, fields);
      const token = await ignoreConformanceErrors(() => expectAnyToken(response));
      // The clean-up also revokes a token that a case did not expect.
      if (token !== undefined) tokens.add(token);
      return response;
    },
    async list(query, headers = {}) {
      const bearer = { Authorization: `Bearer ${await server.token()}` };
      return api.get(`${EVENTS}?${query}`, { ...bearer, ...headers });
    },
    async cleanUp() {
      for (const token of tokens) {
        await server.postForm(REVOKE, { token, client_id: server.clientId() });
      }
    },
  };
  return server;
}

/** The same person sees all requests, so they come one at a time. */
function createPerson({ allow }: EventsInput): (address: string) => Promise<string> {
  const inTurn = createQueue();
  return async (address) => {
    skipUnless(allow !== undefined, NO_PERSON);
    return inTurn(() => allow(address));
  };
}

async function obtainCode(
  server: EventsServerUnderTest,
  askPerson: (address: string) => Promise<string>,
): Promise<AuthorizationResponse> {
  const { api, input, redirectUri } = server;
  const request = await createAuthorizationRequest(server);
  const path = toAuthorizePath(request);
  const location =
    input.account === undefined
      ? await askPerson(new URL(api.targetOf(path), api.url).href)
      : await consentAtPages(server, path);
  const parameters = parseRedirect(location, redirectUri);
  if (parameters !== null) return { request, location, parameters };
  return fail("the person's consent", `a redirect to ${redirectUri}`, hideSecrets(location));
}

function toTokenRequest(
  server: EventsServerUnderTest,
  { request, parameters }: AuthorizationResponse,
): TokenRequest {
  const code = parameters.get("code");
  if (code !== null) return createTokenRequest(server, code, request.codeVerifier);
  const received = `no code, ${hideSecrets(parameters.toString())}`;
  return fail("the person's consent", "a code", received);
}

async function consentAtPages(server: EventsServerUnderTest, path: string): Promise<string> {
  const browser = await server.signedIn();
  const form = await browser.openConsentPage(path);
  const response = await browser.submit("/consent", { ...form, action: "allow" });
  return response.header("Location") ?? fail(response, "a redirect", `status ${response.status}`);
}

async function signIn(server: EventsServerUnderTest): Promise<Browser> {
  const browser = server.newBrowser();
  await browser.signIn("/sign-in", server.account());
  return browser;
}
