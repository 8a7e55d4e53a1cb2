/** What a test needs of each of the two servers. */
import { STATE } from "../../service/journey.ts";
import type { TestBrowser } from "../../service/test-browser.ts";

export interface AuthorizationServer {
  readonly paths: {
    readonly authorize: string;
    readonly token: string;
    readonly revoke: string;
  };
  /** A code that a valid token request redeems. */
  obtainCode(): Promise<string>;
  /** Waits until the code has expired. */
  outliveCode(): void;
  createBrowser(): TestBrowser;
}

/** Describes a response in the same words for both servers. */
export async function describeResponse(
  response: Response,
  redirectUris: readonly string[],
): Promise<string> {
  const { status, ok, headers } = response;
  // The status of a redirect does not matter to an app.
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
  const members = hash === "" ? searchParams : new URLSearchParams(hash.slice(1));
  const state = members.get("state");
  return [
    `the app: ${members.get("error") ?? "code"}`,
    ...(hash === "" ? [] : ["in the fragment"]),
    ...(state === STATE ? [] : state === null ? ["without state"] : ["with another state"]),
    ...(members.has("iss") ? [] : ["without issuer"]),
  ].join(", ");
}
