/** A proof for the service itself: the result is a session, and a path to go on to. */
import { readChallenge, type SignInExchange } from "../login/exchange.ts";
import { postJson, unansweredBy } from "../login/post.ts";
import type { SessionData } from "./session-data.ts";

/** What the two requests carry beside the proof. */
export interface SessionMembers {
  begin(username: string): object;
  complete(): object;
}

export function createSessionExchange(
  { endpoint, csrf }: SessionData,
  members: SessionMembers,
): SignInExchange {
  const post = (body: object) =>
    postJson(endpoint, { ...body, csrf }, { credentials: "same-origin" });
  return {
    async begin(username) {
      const answer = await post({ action: "begin", ...members.begin(username) });
      return "kind" in answer ? answer : readChallenge(answer);
    },
    async complete(challengeId, { clientNonce, proof }) {
      const own = { action: "complete", challengeId, clientNonce, proof };
      const answer = await post({ ...own, ...members.complete() });
      if ("kind" in answer) return answer;
      const { next, serverSignature } = answer.body;
      if (typeof next !== "string" || typeof serverSignature !== "string" || !isPath(next)) {
        return unansweredBy(answer);
      }
      return { serverSignature, target: next };
    },
  };
}

/** A path of this very origin, and nothing that only looks like one. */
function isPath(next: string): boolean {
  return next.startsWith("/") && new URL(next, location.href).origin === location.origin;
}
