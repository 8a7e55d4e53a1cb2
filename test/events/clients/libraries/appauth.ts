import {
  AppAuthError,
  AuthorizationNotifier,
  AuthorizationRequest,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  BasicQueryStringUtils,
  GRANT_TYPE_AUTHORIZATION_CODE,
  LocalStorageBackend,
  RedirectRequestHandler,
  RevokeTokenRequest,
  setFlag,
  TokenRequest,
  type LocationLike,
  type TokenRequestHandler,
} from "@openid/appauth";
import { NodeCrypto } from "@openid/appauth/built/node_support/crypto_utils.js";
import { NodeRequestor } from "@openid/appauth/built/node_support/node_requestor.js";
import { EVENTS_ROUTES } from "../../../../src/contract/events/routes.ts";
import { fetchEvents, SCOPE, type AppLibrary, type AppSettings } from "../app-library.ts";

// It logs each request otherwise.
setFlag("IS_LOG", false);

export const appauth: AppLibrary = {
  name: "@openid/appauth",
  // Of a failed token request it keeps the status text alone.
  sees: { denied: "access_denied", replayed: "Bad Request" },
  checksIssuer: false,
  async build(settings) {
    const { origin, clientId } = settings;
    // It looks for metadata at the address of OpenID Connect alone.
    const configuration = new AuthorizationServiceConfiguration({
      authorization_endpoint: `${origin}${EVENTS_ROUTES.getAuthorizePage.path}`,
      token_endpoint: `${origin}${EVENTS_ROUTES.redeemCode.path}`,
      revocation_endpoint: `${origin}${EVENTS_ROUTES.revokeToken.path}`,
    });
    const tokens = new BaseTokenRequestHandler(new NodeRequestor());
    return {
      async begin() {
        const items = new Map<string, string>();
        return {
          address: await openAddress(configuration, settings, items),
          async finish(callback) {
            // It forgets an attempt at the first response; a replay needs a storage that does not.
            const { code, verifier } = await readResponse(callback, new Map(items));
            return redeem(tokens, configuration, settings, code, verifier);
          },
        };
      },
      readEvents: (token) => fetchEvents(origin, token),
      async revoke(token) {
        const request = new RevokeTokenRequest({ token, client_id: clientId });
        await tokens.performRevokeTokenRequest(configuration, request);
      },
      explain: (error) => (error instanceof AppAuthError ? error.message : String(error)),
    };
  },
};

/** Its parser reads fragments by default, and the code is in the query. */
class QueryReader extends BasicQueryStringUtils {
  override parse(input: LocationLike) {
    return super.parse(input, false);
  }
}

function createHandler(location: LocationLike, items: Map<string, string>): RedirectRequestHandler {
  const storage = new LocalStorageBackend({
    length: 0,
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  });
  return new RedirectRequestHandler(storage, new QueryReader(), location, new NodeCrypto());
}

function locationAt(url: URL, assign: (address: string) => void): LocationLike {
  const { hash, host, origin, hostname, pathname, port, protocol, search } = url;
  return { hash, host, origin, hostname, pathname, port, protocol, search, assign };
}

function openAddress(
  configuration: AuthorizationServiceConfiguration,
  { clientId, redirectUri }: AppSettings,
  items: Map<string, string>,
): Promise<string> {
  const request = new AuthorizationRequest(
    { client_id: clientId, redirect_uri: redirectUri, scope: SCOPE, response_type: "code" },
    new NodeCrypto(),
  );
  return new Promise((resolve) => {
    const location = locationAt(new URL(redirectUri), resolve);
    createHandler(location, items).performAuthorizationRequest(configuration, request);
  });
}

async function readResponse(
  callback: URL,
  items: Map<string, string>,
): Promise<{ readonly code: string; readonly verifier: string }> {
  const unexpected = () => {
    throw new Error("The app has arrived and goes nowhere");
  };
  const handler = createHandler(locationAt(callback, unexpected), items);
  const notifier = new AuthorizationNotifier();
  handler.setAuthorizationNotifier(notifier);
  const told = Promise.withResolvers<{ code: string; verifier: string }>();
  notifier.setAuthorizationListener((request, response, error) => {
    const verifier = request.internal?.["code_verifier"];
    if (response !== null && verifier !== undefined)
      told.resolve({ code: response.code, verifier });
    else told.reject(new AppAuthError(error?.error ?? "Neither code nor error"));
  });
  await handler.completeAuthorizationRequestIfPossible();
  // It ignores a response with another state.
  told.reject(new AppAuthError("Not a response to this request"));
  return told.promise;
}

async function redeem(
  tokens: TokenRequestHandler,
  configuration: AuthorizationServiceConfiguration,
  { clientId, redirectUri }: AppSettings,
  code: string,
  verifier: string,
): Promise<string> {
  const request = new TokenRequest({
    grant_type: GRANT_TYPE_AUTHORIZATION_CODE,
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    extras: { code_verifier: verifier },
  });
  const { accessToken } = await tokens.performTokenRequest(configuration, request);
  return accessToken;
}
