/** Two servers that are asked the same: what one needs to know of each. */
import { STATE } from "../../service/journey.ts";
import type { TestBrowser } from "../../service/test-browser.ts";

export interface AuthorizationServer {
  readonly paths: {
    readonly authorize: string;
    readonly token: string;
    readonly revoke: string;
  };
  /** A code that a right token request would redeem. */
  obtainCode(): Promise<string>;
  /** Lets more time pass than a code lives. */
  outliveCode(): void;
  createBrowser(): TestBrowser;
}

/** What a browser or an app makes of an answer, in words that hold for both. */
export async function describeAnswer(
  response: Response,
  redirectUris: readonly string[],
): Promise<string> {
  const { status, ok, headers } = response;
  // Which kind of redirect it is says nothing to an app.
  if (status === 302 || status === 303) {
    return describeRedirect(headers.get("location") ?? "", redirectUris);
  }
  const isJson = (headers.get("content-type") ?? "").startsWith("application/json");
  const text = await response.text();
  if (isJson) {
    const { error, access_token: token } = JSON.parse(text) as Record<string, string | undefined>;
    if (error !== undefined) return `${status} ${error}`;
    if (token !== undefined) return `${status} token`;
  }
  return ok ? `${status} done` : `${status} page`;
}

function describeRedirect(location: string, redirectUris: readonly string[]): string {
  if (!redirectUris.some((uri) => location.startsWith(uri))) return "the person is asked";
  const { searchParams, hash } = new URL(location);
  const answer = hash === "" ? searchParams : new URLSearchParams(hash.slice(1));
  const state = answer.get("state");
  return [
    `the app: ${answer.get("error") ?? "code"}`,
    ...(hash === "" ? [] : ["in the fragment"]),
    ...(state === STATE ? [] : state === null ? ["without state"] : ["with another state"]),
    ...(answer.has("iss") ? [] : ["without issuer"]),
  ].join(", ");
}
