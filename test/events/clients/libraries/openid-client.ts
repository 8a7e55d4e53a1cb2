import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchProtectedResource,
  None,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  tokenRevocation,
} from "openid-client";
import { eventsUrl, readList, SCOPE, type AppLibrary } from "../app-library.ts";

export const openidClient: AppLibrary = {
  name: "openid-client",
  sees: { denied: "access_denied", replayed: "invalid_grant" },
  checksIssuer: true,
  async build({ origin, clientId, redirectUri }) {
    const configuration = await discovery(new URL(origin), clientId, undefined, None(), {
      algorithm: "oauth2",
      execute: [allowInsecureRequests],
    });
    return {
      async begin() {
        const state = randomState();
        const verifier = randomPKCECodeVerifier();
        const address = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        return {
          address: address.href,
          async finish(callback) {
            const checks = { pkceCodeVerifier: verifier, expectedState: state };
            return (await authorizationCodeGrant(configuration, callback, checks)).access_token;
          },
        };
      },
      async readEvents(token) {
        return readList(
          await fetchProtectedResource(configuration, token, eventsUrl(origin), "GET"),
        );
      },
      revoke: (token) => tokenRevocation(configuration, token),
      explain(error) {
        const isTold =
          error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
        return isTold ? error.error : String(error);
      },
    };
  },
};
