import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRevocationResponse,
  protectedResourceRequest,
  ResponseBodyError,
  revocationRequest,
  validateAuthResponse,
} from "oauth4webapi";
import { eventsUrl, readList, SCOPE, type AppLibrary } from "../app-library.ts";

const LOOPBACK = { [allowInsecureRequests]: true };

export const oauth4webapi: AppLibrary = {
  name: "oauth4webapi",
  sees: { denied: "access_denied", replayed: "invalid_grant" },
  checksIssuer: true,
  async build({ origin, clientId, redirectUri }) {
    const issuer = new URL(origin);
    const found = await discoveryRequest(issuer, { algorithm: "oauth2", ...LOOPBACK });
    const server = await processDiscoveryResponse(issuer, found);
    const client = { client_id: clientId };
    return {
      async begin() {
        const state = generateRandomState();
        const verifier = generateRandomCodeVerifier();
        const address = new URL(server.authorization_endpoint ?? "");
        address.search = new URLSearchParams({
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: SCOPE,
          state,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }).toString();
        return {
          address: address.href,
          async finish(callback) {
            const response = await authorizationCodeGrantRequest(
              server,
              client,
              None(),
              validateAuthResponse(server, client, callback, state),
              redirectUri,
              verifier,
              LOOPBACK,
            );
            return (await processAuthorizationCodeResponse(server, client, response)).access_token;
          },
        };
      },
      async readEvents(token) {
        const events = eventsUrl(origin);
        return readList(
          await protectedResourceRequest(token, "GET", events, undefined, undefined, LOOPBACK),
        );
      },
      async revoke(token) {
        await processRevocationResponse(
          await revocationRequest(server, client, None(), token, LOOPBACK),
        );
      },
      explain(error) {
        const isTold =
          error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
        return isTold ? error.error : String(error);
      },
    };
  },
};
