/** The requests of a password proof to a service with browser sessions. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { KnownBrowser } from "./login-requests.ts";
import { postJson } from "./post.ts";
import { readChallenge, type SignInData, type SignInRequests } from "./sign-in.ts";

export interface SessionData extends SignInData {
  readonly endpoint: string;
  readonly csrf: string;
}

/** Further members of the two requests. */
export interface SessionMembers {
  begin(username: string): object;
  complete(): object;
}

export function createSessionRequests(
  { endpoint, csrf }: SessionData,
  members: SessionMembers,
  /** Null where the service keeps the value in a cookie. */
  knownBrowser: KnownBrowser | null = null,
): SignInRequests {
  const post = (body: object) => {
    const known = knownBrowser?.read() ?? null;
    return postJson(
      endpoint,
      { ...body, csrf },
      {
        credentials: "same-origin",
        headers: known === null ? {} : { [KNOWN_BROWSER_HEADER]: known },
      },
    );
  };
  return {
    async begin(username) {
      const response = await post({ action: "begin", ...members.begin(username) });
      return response.kind === "json" ? readChallenge(response) : response;
    },
    async complete(challengeId, { clientNonce, proof }) {
      const own = { action: "complete", challengeId, clientNonce, proof };
      const response = await post({ ...own, ...members.complete() });
      if (response.kind !== "json") return response;
      const { next, serverSignature } = response.body;
      if (typeof next !== "string" || typeof serverSignature !== "string" || !isLocalPath(next)) {
        return { kind: "unexpected", reference: response.reference };
      }
      const known = response.header(KNOWN_BROWSER_HEADER);
      const onVerified = () => {
        if (known !== null) knownBrowser?.write(known);
      };
      return { kind: "completed", serverSignature, target: next, onVerified };
    },
  };
}

/** `//host` begins with a slash, too. */
function isLocalPath(next: string): boolean {
  return next.startsWith("/") && new URL(next, location.href).origin === location.origin;
}
