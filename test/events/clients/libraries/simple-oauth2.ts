import { createHash, randomBytes } from "node:crypto";
import { AuthorizationCode } from "simple-oauth2";
import { EVENTS_ROUTES } from "../../../../src/contract/events/routes.ts";
import { fetchEvents, SCOPE, type AppLibrary } from "../app-library.ts";

export const simpleOauth2: AppLibrary = {
  name: "simple-oauth2",
  // It leaves the redirect to the app, so the app reads it.
  sees: { denied: "access_denied", replayed: "invalid_grant" },
  checksIssuer: false,
  async build({ origin, clientId, redirectUri }) {
    const client = new AuthorizationCode({
      // It sends a secret in any case, an empty one for a public client.
      client: { id: clientId, secret: "" },
      auth: {
        tokenHost: origin,
        tokenPath: EVENTS_ROUTES.redeemCode.path,
        revokePath: EVENTS_ROUTES.revokeToken.path,
        authorizePath: EVENTS_ROUTES.getAuthorizePage.path,
      },
      options: { authorizationMethod: "body" },
    });
    return {
      async begin() {
        const state = randomBytes(16).toString("base64url");
        const verifier = randomBytes(32).toString("base64url");
        return {
          address: client.authorizeURL({
            redirect_uri: redirectUri,
            scope: SCOPE,
            state,
            code_challenge: createHash("sha256").update(verifier).digest("base64url"),
            code_challenge_method: "S256",
          }),
          async finish({ searchParams }) {
            if (searchParams.get("state") !== state) throw new Error("Another state");
            const code = searchParams.get("code");
            if (code === null)
              throw new Error(searchParams.get("error") ?? "Neither code nor error");
            const { token } = await client.getToken({
              code,
              redirect_uri: redirectUri,
              code_verifier: verifier,
            });
            return token.access_token;
          },
        };
      },
      readEvents: (token) => fetchEvents(origin, token),
      async revoke(token) {
        await client.createToken({ access_token: token }).revoke("access_token");
      },
      explain: (error) => readErrorCode(error) ?? (error instanceof Error ? error.message : ""),
    };
  },
};

/** Errors of its HTTP client contain the response. */
function readErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("data" in error)) return null;
  const { payload } = error.data as { payload?: { error?: string } };
  return payload?.error ?? null;
}
