/** The authorization request, and what a browser is sent away with. */
import { SCOPE } from "../../contract/events/values.ts";
import { createCodeChallenge } from "../../rules/identity/pkce.ts";
import { describeAnswer, expectStatus, violate } from "../expect.ts";
import { hideSecrets } from "../hide-secrets.ts";
import type { HttpResponse } from "../http.ts";
import { randomText } from "../primitives.ts";
import type { EventsTarget } from "./target.ts";

export const AUTHORIZE = "/api/oauth/authorize";

/** By name; undefined leaves a parameter out. */
export type Fields = Readonly<Record<string, string | undefined>>;

export interface Attempt {
  readonly codeVerifier: string;
  readonly state: string;
  readonly fields: Fields;
}

/** What a client of the contract asks for, new each time. */
export async function newAttempt(target: EventsTarget, changes: Fields = {}): Promise<Attempt> {
  const codeVerifier = randomText(64);
  const state = randomText(32);
  return {
    codeVerifier,
    state,
    fields: {
      client_id: target.clientId(),
      redirect_uri: target.redirectUri,
      response_type: "code",
      scope: SCOPE,
      state,
      code_challenge: await createCodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...changes,
    },
  };
}

export function encodeFields(fields: Fields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    )
    .join("&");
}

export function authorizePath({ fields }: Pick<Attempt, "fields">): string {
  return `${AUTHORIZE}?${encodeFields(fields)}`;
}

/** A request of an app, with these parameters changed. `more` is appended as it is. */
export async function askToAuthorize(
  target: EventsTarget,
  changes: Fields = {},
  more = "",
): Promise<HttpResponse> {
  return target.api.get(authorizePath(await newAttempt(target, changes)) + more);
}

/** What an address has beyond the redirect URI, or null when it is another place. */
export function readReturn(address: string, redirectUri: string): URLSearchParams | null {
  const rest = address.slice(redirectUri.length);
  const mark = redirectUri.includes("?") ? "&" : "?";
  if (!address.startsWith(redirectUri) || (rest !== "" && !rest.startsWith(mark))) return null;
  return new URLSearchParams(rest.slice(1).split("#")[0]);
}

/** The parameters of a redirect to the app that refuses its request (RFC 6749 4.1.2.1). */
export function expectRefusal(
  target: EventsTarget,
  answer: HttpResponse,
  error: string,
): URLSearchParams {
  const location = answer.header("Location") ?? "";
  const found = readReturn(location, target.redirectUri);
  const expected = `a redirect to the app with error=${error}`;
  if (answer.status < 300 || answer.status > 399 || found === null) {
    return violate(answer.asked, expected, describeRedirect(answer));
  }
  if (found.get("error") !== error || found.has("code")) {
    violate(answer.asked, expected, describeRedirect(answer));
  }
  return found;
}

/** The request is put before a person: a page, or the way to one. */
export function expectAccepted(target: EventsTarget, answer: HttpResponse): void {
  if (answer.status === 200) return;
  const location = answer.header("Location");
  if (
    answer.status >= 300 &&
    answer.status <= 399 &&
    location !== undefined &&
    readReturn(location, target.redirectUri) === null
  ) {
    return;
  }
  violate(answer.asked, "a page for a person, or the way to one", describeRedirect(answer));
}

/** Nobody is sent anywhere. */
export function expectErrorPage(answer: HttpResponse): void {
  expectStatus(answer, 400);
  const type = answer.header("Content-Type") ?? "none";
  if (answer.header("Location") !== undefined || !/^text\/html\b/i.test(type)) {
    violate(answer.asked, "a page and no Location", describeRedirect(answer));
  }
}

export function describeRedirect(answer: HttpResponse): string {
  const location = answer.header("Location");
  return location === undefined
    ? describeAnswer(answer)
    : `status ${answer.status} to ${hideSecrets(location)}`;
}
