/** The requests of a password proof to the sync service. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { LoginAttempt } from "../../contract/sync/page-views.ts";
import { appendToRedirect, type Delivery } from "../../rules/identity/redirect.ts";
import { postJson } from "./post.ts";
import { readChallenge, type SignInRequests } from "./sign-in.ts";

export interface LoginRequestSettings {
  readonly endpoint: string;
  /** The header that repeats the state, for example `X-Service-CSRF`. */
  readonly csrfHeader: string;
  readonly attempt: LoginAttempt;
  readonly delivery: Delivery;
}

/** The value by which the service knows a browser that has signed in before. */
export interface KnownBrowser {
  read(): string | null;
  write(value: string): void;
}

export function createLoginRequests(
  { endpoint, csrfHeader, attempt, delivery }: LoginRequestSettings,
  knownBrowser: KnownBrowser | null,
): SignInRequests {
  const { state, redirectUri } = attempt;
  const post = (body: object) => {
    const known = knownBrowser?.read() ?? null;
    const headers = {
      [csrfHeader]: state,
      ...(known !== null && { [KNOWN_BROWSER_HEADER]: known }),
    };
    return postJson(endpoint, { ...body, csrf: state }, { credentials: "omit", headers });
  };
  return {
    async begin(username) {
      const response = await post({ action: "begin", attempt: { username, ...attempt } });
      return response.kind === "json" ? readChallenge(response) : response;
    },
    async complete(challengeId, { clientNonce, proof }) {
      const response = await post({ action: "complete", challengeId, clientNonce, proof });
      if (response.kind !== "json") return response;
      const { code, serverSignature } = response.body;
      if (typeof code !== "string" || typeof serverSignature !== "string") {
        return { kind: "unexpected", reference: response.reference };
      }
      const target = appendToRedirect(redirectUri, { code, state }, delivery);
      const known = response.header(KNOWN_BROWSER_HEADER);
      const onVerified = () => {
        if (known !== null) knownBrowser?.write(known);
      };
      return { kind: "completed", serverSignature, target, onVerified };
    },
  };
}
