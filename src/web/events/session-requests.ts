/** The requests of a password proof to the events service itself. */
import { postJson } from "../login/post.ts";
import { readChallenge, type SignInData, type SignInRequests } from "../login/sign-in.ts";

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
): SignInRequests {
  const post = (body: object) =>
    postJson(endpoint, { ...body, csrf }, { credentials: "same-origin" });
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
      return { kind: "completed", serverSignature, target: next };
    },
  };
}

/** `//host` begins with a slash, too. */
function isLocalPath(next: string): boolean {
  return next.startsWith("/") && new URL(next, location.href).origin === location.origin;
}
