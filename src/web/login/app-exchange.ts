/** A sign-in for an app: the result is a code that the browser takes to it. */
import { appendToRedirect } from "../../rules/identity/redirect.ts";
import { readChallenge, type SignInExchange } from "./exchange.ts";
import type { LoginData } from "./login-data.ts";
import { postJson, unansweredBy } from "./post.ts";

export function createAppExchange(data: LoginData): SignInExchange {
  const { endpoint, csrfHeader, attempt, delivery } = data;
  const { state, redirectUri } = attempt;
  const post = (body: object) =>
    postJson(
      endpoint,
      { ...body, csrf: state },
      { credentials: "omit", headers: { [csrfHeader]: state } },
    );
  return {
    async begin(username) {
      const answer = await post({ action: "begin", attempt: { username, ...attempt } });
      return "kind" in answer ? answer : readChallenge(answer);
    },
    async complete(challengeId, { clientNonce, proof }) {
      const answer = await post({ action: "complete", challengeId, clientNonce, proof });
      if ("kind" in answer) return answer;
      const { code, serverSignature } = answer.body;
      if (typeof code !== "string" || typeof serverSignature !== "string") {
        return unansweredBy(answer);
      }
      const target = appendToRedirect(redirectUri, { code, state }, delivery);
      return { serverSignature, target };
    },
  };
}
