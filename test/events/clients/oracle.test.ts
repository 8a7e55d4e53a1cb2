/**
 * Malformed requests to our service and to `oidc-provider`: both must say the same, except where the
 * tables name a difference, which then must be there.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EVENTS_ROUTES } from "../../../src/contract/events/routes.ts";
import { APP, MINUTE_MS, OTHER_APP, startInstance } from "../service/events-instance.ts";
import { obtainCode, signIn } from "../service/journey.ts";
import { writePairs, type Difference } from "./oracle/asked.ts";
import {
  AUTHORIZATION_CASES,
  RIGHT_AUTHORIZATION,
  type AuthorizationCase,
} from "./oracle/authorization-requests.ts";
import { describeResponse, type AuthorizationServer } from "./oracle/authorization-server.ts";
import {
  REVOCATION_CASES,
  RIGHT_REDEMPTION,
  RIGHT_REVOCATION,
  TOKEN_CASES,
  type FormCase,
  type TokenCase,
} from "./oracle/form-requests.ts";
import { startOracle } from "./oracle/start-oracle.ts";

const CLIENTS = [APP, OTHER_APP];
const REDIRECT_URIS = CLIENTS.flatMap(({ redirectUris }) => redirectUris);
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

test("malformed requests get the response of another server", async (t) => {
  const servers = [await startOurs(t), await startOracle(t, CLIENTS)];
  const compare = async <C extends Compared>(
    table: string,
    cases: Readonly<Record<string, C>>,
    ask: (server: AuthorizationServer, asked: C) => Promise<Response>,
  ) => {
    for (const [name, asked] of Object.entries(cases)) {
      await t.test(`${table}: ${name}`, async () => {
        const [ours, oracle] = await Promise.all(
          servers.map(async (server) => describeResponse(await ask(server, asked), REDIRECT_URIS)),
        );
        const { differs } = asked;
        if (differs === undefined) return assert.equal(ours, oracle);
        assert.notEqual(ours, oracle, "The table names a difference that is none");
        assert.deepEqual({ ours, oracle }, { ours: differs.ours, oracle: differs.oracle });
      });
    }
  };

  await compare("authorization", AUTHORIZATION_CASES, requestAuthorization);
  await compare("token", TOKEN_CASES, askForToken);
  await compare("revocation", REVOCATION_CASES, async (server, asked) => {
    const given = await askForToken(server, {});
    const { access_token: token } = (await given.json()) as { access_token: string };
    return send(server, server.paths.revoke, { ...RIGHT_REVOCATION, token }, asked);
  });
});

interface Compared {
  readonly differs?: Difference;
}

async function startOurs(t: TestContext): Promise<AuthorizationServer> {
  const plenty = { requests: 1000, windowSeconds: 60 };
  const instance = await startInstance(t, {
    isAtOwnAddress: true,
    clients: CLIENTS,
    limits: { authorize: plenty, token: plenty },
  });
  const browser = instance.createBrowser();
  await signIn(browser);
  return {
    paths: {
      authorize: EVENTS_ROUTES.getAuthorizePage.path,
      token: EVENTS_ROUTES.redeemCode.path,
      revoke: EVENTS_ROUTES.revokeToken.path,
    },
    obtainCode: () => obtainCode(browser),
    outliveCode: () => (instance.clock.now += MINUTE_MS),
    createBrowser: instance.createBrowser,
  };
}

function requestAuthorization(
  { createBrowser, paths }: AuthorizationServer,
  { change, raw = "" }: AuthorizationCase,
): Promise<Response> {
  const query = writePairs(RIGHT_AUTHORIZATION, change) + raw;
  return createBrowser().get(`${paths.authorize}?${query}`, { Accept: "text/html" });
}

async function askForToken(server: AuthorizationServer, asked: TokenCase): Promise<Response> {
  const code = await server.obtainCode();
  const right = { ...RIGHT_REDEMPTION, code };
  const { token } = server.paths;
  if (asked.code === "redeemed") await send(server, token, right, {});
  if (asked.code === "consumed")
    await send(server, token, right, { change: { code_verifier: "x".repeat(43) } });
  if (asked.code === "outlived") server.outliveCode();
  return send(server, token, right, asked);
}

function send(
  { createBrowser }: AuthorizationServer,
  path: string,
  right: Readonly<Record<string, string>>,
  { change = {}, headers = {}, search = "", body, method = "POST" }: FormCase,
): Promise<Response> {
  const form = body ?? writePairs(right, change);
  return createBrowser().ask(path + search, {
    method,
    headers: { Accept: "application/json", ...FORM, ...headers },
    ...(method === "POST" && { body: form }),
  });
}
