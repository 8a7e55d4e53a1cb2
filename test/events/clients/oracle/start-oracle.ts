/** `oidc-provider` with the same clients and requirements. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import type { Provider } from "oidc-provider";
import type { RegisteredClient } from "../../../../src/rules/events/wire/authorization.ts";
import { createTestBrowser, type Ask, type TestBrowser } from "../../service/test-browser.ts";
import { SCOPE } from "../app-library.ts";
import { writePairs } from "./asked.ts";
import { RIGHT_AUTHORIZATION } from "./authorization-requests.ts";
import type { AuthorizationServer } from "./authorization-server.ts";

const PATHS = { authorize: "/auth", token: "/token", revoke: "/token/revocation" };
const CODE_SECONDS = 60;
const ACCOUNT_ID = "olive";

export async function startOracle(
  t: TestContext,
  clients: readonly RegisteredClient[],
): Promise<AuthorizationServer> {
  // It warns that these settings are not for production.
  t.mock.method(console, "warn", () => {});
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(origin, clients);
  const respond = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") === true) {
      void allow(provider, request, response);
    } else respond(request, response);
  });
  const ask: Ask = (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init });
  const browser = createTestBrowser(ask);
  return {
    paths: PATHS,
    obtainCode: () => obtainCode(browser, origin),
    outliveCode: () => t.mock.timers.tick((CODE_SECONDS + 1) * 1000),
    createBrowser: () => createTestBrowser(ask),
  };
}

async function createProvider(
  origin: string,
  clients: readonly RegisteredClient[],
): Promise<Provider> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { Provider } = await import("oidc-provider");
  return new Provider(origin, {
    clients: clients.map(({ id, redirectUris }) => ({
      client_id: id,
      redirect_uris: redirectUris,
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
      scope: SCOPE,
    })),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    // A scope that exists, and that the apps may not request.
    scopes: [SCOPE, "write:events"],
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: CODE_SECONDS,
      AccessToken: 3600,
      Interaction: 600,
      Grant: 3600,
      Session: 3600,
    },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
  });
}

/** Signs in and allows every request. */
async function allow(
  provider: Provider,
  ...[request, response]: Parameters<Provider["interactionDetails"]>
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: ACCOUNT_ID, clientId: params.client_id });
  grant.addOIDCScope(SCOPE);
  await provider.interactionFinished(request, response, {
    login: { accountId: ACCOUNT_ID },
    consent: { grantId: await grant.save() },
  });
}

async function obtainCode(browser: TestBrowser, origin: string): Promise<string> {
  let path = `${PATHS.authorize}?${writePairs(RIGHT_AUTHORIZATION, {})}`;
  for (let count = 0; count < 5; count++) {
    const response = await browser.get(path);
    const location = new URL(response.headers.get("location") ?? "", origin);
    const code = location.searchParams.get("code");
    if (code !== null) return code;
    path = location.pathname + location.search;
  }
  throw new Error("The oracle gives no code");
}
