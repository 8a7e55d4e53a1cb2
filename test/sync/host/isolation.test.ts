/** What one instance has issued cannot read or change another one: every route is tried. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import type { SYNC_ROUTES } from "../../../src/contract/sync/routes.ts";
import type { TokenResponse } from "../../../src/contract/sync/schemas.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createOperation, HABIT_PAYLOAD } from "../../fixtures/sync-operation.ts";
import { beginPasskeySignIn, createStrangerPasskey } from "../passkey-client.ts";
import { beginSignIn, postJson, VERIFIER, type Ask } from "../sync-client.ts";
import { OWNER_ATTACKS, signInOwners, tryCookiesUnderApi } from "./owner-attacks.ts";
import {
  addAccount,
  askOf,
  bearer,
  createHostPlace,
  originOf,
  REDIRECT_URI,
  signInOptions,
  signInTo,
  startHost,
} from "./serve-host.ts";

const SECRET = "only ada may read this";

/** What an attacker has: everything that was issued to a device of ada. */
interface Loot {
  readonly tokens: TokenResponse;
  readonly code: string;
  readonly cursor: string;
  readonly knownBrowser: string;
  readonly challenge: Extract<Awaited<ReturnType<typeof beginSignIn>>, { kind: "challenged" }>;
}

interface Attack {
  readonly ada: Ask;
  readonly bob: Ask;
  readonly loot: Loot;
  /** Of a device of bob. */
  readonly bobs: TokenResponse;
}

const get = (ask: Ask, path: string, accessToken?: string) =>
  ask(path, { headers: accessToken === undefined ? {} : bearer(accessToken) });

const redeemBody = (code: string) => ({
  grantType: "authorization_code",
  code,
  codeVerifier: VERIFIER,
  redirectUri: REDIRECT_URI,
  attemptId: "attempt-of-ada",
});

/** A bearer token of ada at bob's instance is no token at all. */
const refusedToken =
  (ask: (attack: Attack) => Promise<Response>) =>
  async (attack: Attack): Promise<Response[]> => {
    const response = await ask(attack);
    assert.equal(response.status, 401);
    return [response];
  };

/** One attack per route of the contract; each returns bob's responses. */
const ATTACKS: Readonly<Record<keyof typeof SYNC_ROUTES, (attack: Attack) => Promise<Response[]>>> =
  {
    getHealth: async ({ bob, loot }) => [await get(bob, "/v1/health", loot.tokens.accessToken)],
    getCapabilities: async ({ bob, loot }) => [
      await get(bob, "/v1/capabilities", loot.tokens.accessToken),
    ],
    async getInstanceInfo({ bob, loot }) {
      const response = await get(bob, "/v1/instance-info", loot.tokens.accessToken);
      const info = (await response.clone().json()) as { name: string; baseUrl: string };
      assert.deepEqual([info.name, info.baseUrl], ["Bob", originOf("bob")]);
      return [response];
    },
    async getAuthorizePage({ bob }) {
      const query = new URLSearchParams({
        response_type: "code",
        redirect_uri: REDIRECT_URI,
        code_challenge: "a".repeat(43),
        state: "state-of-the-test-device",
        attempt_id: "attempt-of-ada",
        device_id: "phone",
      });
      const response = await bob(`/v1/authorize?${query}`);
      assert.equal(response.status, 200);
      return [response];
    },
    async authorize({ bob, ada, loot }) {
      const stolen = await loot.challenge.complete();
      assert.equal(stolen.status, 401, "bob takes ada's challenge");
      // The same account, password and attempt at bob's instance, with ada's browser: it is not known there.
      const begun = await beginSignIn(
        bob,
        signInOptions({ headers: { [KNOWN_BROWSER_HEADER]: loot.knownBrowser } }),
      );
      assert.equal(begun.kind, "challenged");
      const proved = begun.kind === "challenged" ? await begun.complete() : stolen;
      assert.equal(proved.status, 200);
      assert.notEqual(proved.headers.get(KNOWN_BROWSER_HEADER), loot.knownBrowser);
      const { code } = (await proved.clone().json()) as { code: string };
      assert.equal((await postJson(ada, "/v1/token", redeemBody(code))).status, 400);
      return [stolen, proved];
    },
    async signInWithPasskey({ bob, ada }) {
      const begun = await beginPasskeySignIn(ada, originOf("ada"));
      const stolen = await begun.complete(createStrangerPasskey(), {}, bob);
      assert.equal(stolen.status, 401, "bob takes ada's challenge");
      return [stolen];
    },
    async redeemCode({ bob, ada, loot }) {
      const response = await postJson(bob, "/v1/token", redeemBody(loot.code));
      assert.equal(response.status, 400);
      // The code was not consumed at its own instance.
      assert.equal((await postJson(ada, "/v1/token", redeemBody(loot.code))).status, 200);
      return [response];
    },
    async refresh({ bob, ada, loot }) {
      const body = { grantType: "refresh_token", refreshToken: loot.tokens.refreshToken };
      const response = await postJson(bob, "/v1/refresh", body);
      assert.equal(response.status, 401);
      // Neither rotated nor taken for a stolen one.
      assert.equal((await postJson(ada, "/v1/refresh", body)).status, 200);
      return [response];
    },
    revoke: refusedToken(({ bob, loot }) =>
      postJson(bob, "/v1/revoke", { scope: "all" }, bearer(loot.tokens.accessToken)),
    ),
    getKeys: refusedToken(({ bob, loot }) => get(bob, "/v1/keys", loot.tokens.accessToken)),
    addKey: refusedToken(({ bob, loot }) =>
      postJson(bob, "/v1/keys", {}, bearer(loot.tokens.accessToken)),
    ),
    push: refusedToken(({ bob, loot }) =>
      postJson(
        bob,
        "/v1/push",
        { operations: [createOperation({ deviceId: "thief", sequence: 9 })] },
        bearer(loot.tokens.accessToken),
      ),
    ),
    async pull({ bob, bobs, loot }) {
      const stolen = await get(bob, "/v1/pull", loot.tokens.accessToken);
      assert.equal(stolen.status, 401);
      const path = `/v1/pull?cursor=${loot.cursor}`;
      const response = await get(bob, path, bobs.accessToken);
      const page = (await response.clone().json()) as Record<string, unknown>;
      assert.deepEqual(
        [page["operations"], page["headOffset"], page["recoveryReason"]],
        [[], 0, "generation_changed"],
      );
      return [stolen, response];
    },
    async getSnapshot({ bob, bobs, loot }) {
      const stolen = await get(bob, "/v1/snapshot", loot.tokens.accessToken);
      assert.equal(stolen.status, 401);
      const response = await get(bob, "/v1/snapshot", bobs.accessToken);
      const snapshot = (await response.clone().json()) as { entities: unknown[] };
      assert.deepEqual(snapshot.entities, []);
      return [stolen, response];
    },
    getChanges: refusedToken(({ bob, loot }) => get(bob, "/v1/changes", loot.tokens.accessToken)),
    getDevice: refusedToken(({ bob, loot }) => get(bob, "/v1/device", loot.tokens.accessToken)),
    revokeDevice: refusedToken(({ bob, loot }) =>
      bob("/v1/device", { method: "DELETE", headers: bearer(loot.tokens.accessToken) }),
    ),
  };

async function collectLoot(ada: Ask, tokens: TokenResponse, bob: Ask): Promise<Loot> {
  const operation = createOperation({ payload: { ...HABIT_PAYLOAD, name: SECRET } });
  const headers = bearer(tokens.accessToken);
  const pushed = await postJson(ada, "/v1/push", { operations: [operation] }, headers);
  const { receipts } = (await pushed.json()) as { receipts: { cursor: string }[] };
  const begun = await beginSignIn(ada, signInOptions({ deviceId: "tablet" }), "attempt-of-ada");
  assert.equal(begun.kind, "challenged");
  if (begun.kind !== "challenged") throw new Error("begin was refused");
  const completed = await begun.complete();
  const { code } = (await completed.json()) as { code: string };
  // A challenge of ada's instance, whose proof the attacker sends to bob's.
  let isStolen = false;
  const divert: Ask = (path, init) => (isStolen ? bob(path, init) : ada(path, init));
  const challenge = await beginSignIn(divert, signInOptions(), "attempt-stolen");
  if (challenge.kind !== "challenged") throw new Error("begin was refused");
  isStolen = true;
  return {
    tokens,
    code,
    cursor: receipts[0]?.cursor ?? "",
    knownBrowser: completed.headers.get(KNOWN_BROWSER_HEADER) ?? "",
    challenge,
  };
}

async function expectNoTrace(route: string, responses: readonly Response[]): Promise<void> {
  for (const response of responses) {
    const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
    for (const trace of [SECRET, originOf("ada"), "Ada"]) {
      assert.ok(!text.includes(trace), `${route} shows "${trace}"`);
    }
  }
}

for (const kind of STORE_KINDS) {
  test(`no route of an instance takes what another has issued (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    for (const name of ["ada", "bob"]) await addAccount(place, name);
    const instances = {
      ada: { baseUrl: originOf("ada"), displayName: "Ada" },
      bob: { baseUrl: originOf("bob"), displayName: "Bob" },
    };
    const host = startHost(t, place, [], { instances });
    const [ada, bob] = [askOf(host, "ada"), askOf(host, "bob")];
    // The device has the same id at both.
    const [adas, bobs] = [await signInTo(host, "ada"), await signInTo(host, "bob")];
    const loot = await collectLoot(ada, adas, bob);
    assert.notEqual(loot.knownBrowser, "");
    for (const [route, attack] of Object.entries(ATTACKS)) {
      await expectNoTrace(route, await attack({ ada, bob, loot, bobs }));
    }
    const owners = await signInOwners(ada, bob);
    for (const [route, attack] of Object.entries(OWNER_ATTACKS)) {
      await expectNoTrace(route, await attack(owners));
    }
    await expectNoTrace("a cookie", await tryCookiesUnderApi(owners));
    assert.match(await owners.adas.browser.readPage(), /Signed in as/);
    // Nothing that was tried has ended a session or changed a log.
    const own = await get(ada, "/v1/pull", adas.accessToken);
    assert.ok((await own.text()).includes(SECRET));
    const devices = await host.administer("bob", ({ listDevices }) => listDevices());
    assert.deepEqual(
      devices.map(({ deviceId, name }) => [deviceId, name]),
      [["phone", null]],
    );
  });
}
