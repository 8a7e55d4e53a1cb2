import { SCOPE } from "../../src/contract/events/values.ts";
import { createCodeChallenge } from "../../src/rules/identity/pkce.ts";
import { expectStatus, fail } from "../expect.ts";
import { encodeFields, type ReceivedResponse, type RequestFields } from "../http.ts";
import { randomText } from "../sign-in-keys.ts";
import { describeRedirect, isRedirect } from "./expectations.ts";
import type { EventsServerUnderTest, PreparedAuthorization } from "./server-under-test.ts";

export const AUTHORIZE = "/api/oauth/authorize";

/** A valid request with a new state and verifier, apart from the changes. */
export async function createAuthorizationRequest(
  server: EventsServerUnderTest,
  changes: RequestFields = {},
): Promise<PreparedAuthorization> {
  const codeVerifier = randomText(64);
  const state = randomText(32);
  return {
    codeVerifier,
    state,
    fields: {
      client_id: server.clientId(),
      redirect_uri: server.redirectUri,
      response_type: "code",
      scope: SCOPE,
      state,
      code_challenge: await createCodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...changes,
    },
  };
}

export function toAuthorizePath({ fields }: Pick<PreparedAuthorization, "fields">): string {
  return `${AUTHORIZE}?${encodeFields(fields)}`;
}

export async function createAuthorizePath(
  server: EventsServerUnderTest,
  changes: RequestFields = {},
): Promise<string> {
  return toAuthorizePath(await createAuthorizationRequest(server, changes));
}

/** The parameters that a location adds to the redirect URI, or null when it is another address. */
export function parseRedirect(location: string, redirectUri: string): URLSearchParams | null {
  const rest = location.slice(redirectUri.length);
  const mark = redirectUri.includes("?") ? "&" : "?";
  if (!location.startsWith(redirectUri) || (rest !== "" && !rest.startsWith(mark))) return null;
  return new URLSearchParams(rest.slice(1).split("#")[0]);
}

/** Returns the parameters of an error redirect to the app (RFC 6749 4.1.2.1). */
export function expectErrorRedirect(
  server: EventsServerUnderTest,
  response: ReceivedResponse,
  error: string,
): URLSearchParams {
  const parameters = parseRedirect(response.header("Location") ?? "", server.redirectUri);
  if (
    isRedirect(response) &&
    parameters !== null &&
    parameters.get("error") === error &&
    !parameters.has("code")
  ) {
    return parameters;
  }
  const expected = `a redirect to the app with error=${error}`;
  return fail(response, expected, describeRedirect(response));
}

/** The service shows a page, or redirects to one. */
export function expectAccepted(server: EventsServerUnderTest, response: ReceivedResponse): void {
  if (response.status === 200) return;
  const location = response.header("Location");
  const isToPage = location !== undefined && parseRedirect(location, server.redirectUri) === null;
  if (isRedirect(response) && isToPage) return;
  fail(response, "a page for a person, or the way to one", describeRedirect(response));
}

export function expectErrorPage(response: ReceivedResponse): void {
  expectStatus(response, 400);
  const type = response.header("Content-Type") ?? "none";
  if (response.header("Location") !== undefined || !/^text\/html\b/i.test(type)) {
    fail(response, "a page and no Location", describeRedirect(response));
  }
}
