import { randomBytes } from "node:crypto";
import {
  generateCodeVerifier,
  OAuth2Client,
  OAuth2Error,
  OAuth2Fetch,
} from "@badgateway/oauth2-client";
import { eventsUrl, readList, SCOPE, type AppLibrary } from "../app-library.ts";

export const badgatewayClient: AppLibrary = {
  name: "@badgateway/oauth2-client",
  sees: { denied: "access_denied", replayed: "invalid_grant" },
  checksIssuer: false,
  async build({ origin, clientId, redirectUri }) {
    // It reads the endpoints from the metadata.
    const client = new OAuth2Client({ server: origin, clientId });
    const tokenOf = (accessToken: string) => ({ accessToken, expiresAt: null, refreshToken: null });
    return {
      async begin() {
        const state = randomBytes(16).toString("base64url");
        const codeVerifier = await generateCodeVerifier();
        const { authorizationCode } = client;
        return {
          address: await authorizationCode.getAuthorizeUri({
            redirectUri,
            state,
            codeVerifier,
            scope: [SCOPE],
          }),
          async finish(callback) {
            const checks = { redirectUri, state, codeVerifier };
            return (await authorizationCode.getTokenFromCodeRedirect(callback, checks)).accessToken;
          },
        };
      },
      async readEvents(token) {
        const wrapper = new OAuth2Fetch({ client, getNewToken: () => tokenOf(token) });
        return readList(await wrapper.fetch(eventsUrl(origin).href));
      },
      revoke: (token) => client.revoke(tokenOf(token)),
      explain: (error) => (error instanceof OAuth2Error ? error.oauth2Code : String(error)),
    };
  },
};
