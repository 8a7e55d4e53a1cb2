import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { EventsTokenResponse } from "../../../src/contract/events/schemas.ts";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  APP,
  DAY_MS,
  MINUTE_MS,
  OLIVE,
  OTHER_APP,
  PIET,
  startInstance,
} from "./events-instance.ts";
import {
  SCHEME_URI,
  VERIFIER,
  beginSignIn,
  connect,
  obtainCode,
  readEvents,
  redeem,
  signIn,
  tokenForm,
} from "./journey.ts";

const PATH = "/api/oauth/token";

async function assertRefused(response: Response, status: number, error: string): Promise<void> {
  const body = (await response.json()) as Record<string, string>;
  assert.equal(response.status, status, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ["error", "error_description"]);
  assert.equal(body["error"], error);
  assertTokenHeaders(response);
}

function assertTokenHeaders({ headers }: Response): void {
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("pragma"), "no-cache");
  assert.ok(headers.get("x-request-id"));
}

test("a code is redeemed for a token that reads events", async (t) => {
  const instance = await startInstance(t);
  const browser = instance.createBrowser();
  await signIn(browser);
  const code = await obtainCode(browser);
  const form = tokenForm({ code, client_secret: "some libraries always send one" });
  const response = await instance.ask(PATH, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: form.toString(),
  });
  assertTokenHeaders(response);
  const { access_token: token, ...rest } = (await response.json()) as EventsTokenResponse;
  assert.match(token, /^tre_at_[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(rest, {
    token_type: "Bearer",
    expires_in: 180 * 86_400,
    scope: "read:events",
  });
  assert.equal((await readEvents(instance, token)).status, 200);
});

test("an incomplete or invalid request is refused in the order of the checks", async (t) => {
  const { ask } = await startInstance(t);
  const form = (given: Record<string, string | undefined> = {}) =>
    tokenForm({ code: "some-code", ...given }).toString();
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const basic = { ...type, Authorization: "Basic ZGVtbzpzZWNyZXQ=" };
  const big = `${form()}&padding=${"x".repeat(16_384)}`;
  for (const [path, headers, body, status, error] of [
    [PATH, { "Content-Type": "application/json" }, JSON.stringify({}), 400, "invalid_request"],
    [PATH, { "Content-Type": "text/plain" }, big, 400, "invalid_request"],
    [`${PATH}?code=1`, type, big, 413, "invalid_request"],
    [PATH, basic, `${form()}&code=again`, 400, "invalid_request"],
    [PATH, type, `${form()}&what=ever&what=ever`, 400, "invalid_request"],
    [PATH, type, `${form()}&what=%ff`, 400, "invalid_request"],
    [`${PATH}?client_id=demo`, basic, form(), 400, "invalid_request"],
    [PATH, basic, form({ grant_type: undefined }), 401, "invalid_client"],
    [PATH, type, form({ grant_type: undefined, client_id: "nobody" }), 400, "invalid_request"],
    [PATH, type, form({ grant_type: "", client_id: undefined }), 400, "invalid_request"],
    [
      PATH,
      type,
      form({ grant_type: "refresh_token", client_id: undefined }),
      400,
      "unsupported_grant_type",
    ],
    [PATH, type, form({ client_id: undefined, code: undefined }), 400, "invalid_request"],
    [PATH, type, form({ client_id: "nobody", code: undefined }), 400, "invalid_request"],
    [PATH, type, form({ client_id: "nobody", redirect_uri: undefined }), 400, "invalid_request"],
    [PATH, type, form({ client_id: "nobody", code_verifier: undefined }), 400, "invalid_request"],
    [PATH, type, form({ client_id: "nobody", code_verifier: "short" }), 401, "invalid_client"],
    [PATH, type, form({ code_verifier: "short" }), 400, "invalid_grant"],
    [PATH, type, form({ code: "\u0000" }), 400, "invalid_grant"],
    [PATH, type, form(), 400, "invalid_grant"],
  ] as const) {
    const response = await ask(path, { method: "POST", headers, body });
    await assertRefused(response, status, error);
    assert.equal(
      response.headers.get("www-authenticate"),
      error === "invalid_client" && headers === basic ? 'Basic realm="events"' : null,
    );
  }
});

test("a wrong redemption consumes the code, with the same error for all causes", async (t) => {
  const instance = await startInstance(t);
  const browser = instance.createBrowser();
  await signIn(browser);
  const texts = new Set<string>();
  for (const given of [
    { client_id: OTHER_APP.id },
    { redirect_uri: SCHEME_URI },
    { code_verifier: `${VERIFIER}1` },
    { code_verifier: "short" },
    { code_verifier: "!".repeat(43) },
  ]) {
    const code = await obtainCode(browser);
    const wrong = await redeem(instance, code, given);
    assert.equal(wrong.status, 400);
    texts.add(await wrong.text());
    const right = await redeem(instance, code);
    assert.equal(right.status, 400);
    texts.add(await right.text());
  }
  assert.equal(texts.size, 1);
});

test("a code lives for a minute", async (t) => {
  const instance = await startInstance(t);
  const { clock } = instance;
  const browser = instance.createBrowser();
  await signIn(browser);
  const early = await obtainCode(browser);
  clock.now += MINUTE_MS - 1;
  assert.equal((await redeem(instance, early)).status, 200);
  const late = await obtainCode(browser);
  clock.now += MINUTE_MS;
  await assertRefused(await redeem(instance, late), 400, "invalid_grant");
});

testOnBothStores(
  "a code or a sign-in from before a revocation is invalid, whatever the clock says",
  async (place, t) => {
    const instanceKey = createInstanceKey(randomBytes(32));
    const instance = await startInstance(t, { place, instanceKey, accounts: [OLIVE, PIET] });
    const { store, clock } = instance;
    const administration = createAdministration({ store, instanceKey, now: () => clock.now });
    const [browser, piet] = [instance.createBrowser(), instance.createBrowser()];
    await signIn(piet, PIET);
    const revokeOnPage = async () => {
      const csrf = (await browser.see("home", "/")).frame.account?.csrf ?? "";
      await browser.submit("/account/apps", { csrf, action: "revoke-all" });
    };
    // Also in the same millisecond, and after the clock was set back. To derive the key of a password takes longest.
    const endings: readonly (readonly [end: () => Promise<unknown>, times: readonly number[]])[] = [
      [() => administration.changePassword(OLIVE.username, OLIVE.password, false), [-5000]],
      [() => administration.revokeAllGrants(OLIVE.username), [1, 0, -5000]],
      [revokeOnPage, [1, 0, -5000]],
    ];
    for (const [end, times] of endings) {
      for (const passed of times) {
        if ((await browser.get("/")).status !== 200) await signIn(browser);
        const code = await obtainCode(browser);
        const others = await obtainCode(piet);
        const completeSignIn = await beginSignIn(instance.createBrowser());
        clock.now += passed;
        await end();
        await assertRefused(await redeem(instance, code), 400, "invalid_grant");
        assert.equal((await completeSignIn()).status, 401);
        assert.equal((await redeem(instance, others)).status, 200);
        if ((await browser.get("/")).status !== 200) await signIn(browser);
        assert.equal((await redeem(instance, await obtainCode(browser))).status, 200);
        clock.now += MINUTE_MS;
      }
    }
  },
);

testOnBothStores(
  "of twenty parallel redemptions one gets a token, and keeps it",
  async (place, t) => {
    const instance = await startInstance(t, { place });
    const browser = instance.createBrowser();
    await signIn(browser);
    const code = await obtainCode(browser);
    const responses = await Promise.all(Array.from({ length: 20 }, () => redeem(instance, code)));
    const won: EventsTokenResponse[] = [];
    for (const response of responses) {
      if (response.status === 200) won.push((await response.json()) as EventsTokenResponse);
      else await assertRefused(response, 400, "invalid_grant");
    }
    assert.equal(won.length, 1);
    assert.equal((await readEvents(instance, won[0]?.access_token ?? "")).status, 200);
  },
);

testOnBothStores("a later replay of a code ends the token made from it", async (place, t) => {
  const instance = await startInstance(t, { place });
  const { clock } = instance;
  const browser = instance.createBrowser();
  await signIn(browser);
  const untouched = await connect(instance, browser);
  for (const given of [{}, { code_verifier: "x".repeat(43) }, { client_id: OTHER_APP.id }]) {
    const code = await obtainCode(browser);
    const { access_token: token } = (await (
      await redeem(instance, code)
    ).json()) as EventsTokenResponse;
    clock.now += 2000;
    await assertRefused(await redeem(instance, code, given), 400, "invalid_grant");
    assert.equal((await readEvents(instance, token)).status, 200);
    clock.now += 1;
    await assertRefused(await redeem(instance, code, given), 400, "invalid_grant");
    assert.equal((await readEvents(instance, token)).status, 401);
  }
  assert.equal((await readEvents(instance, untouched.access_token)).status, 200);
});

test("a replay is recognised for as long as the token can live", async (t) => {
  const instance = await startInstance(t);
  const { clock, store } = instance;
  const browser = instance.createBrowser();
  await signIn(browser);
  const code = await obtainCode(browser);
  const { access_token: token } = (await (
    await redeem(instance, code)
  ).json()) as EventsTokenResponse;
  for (let month = 0; month < 12; month++) {
    clock.now += 30 * DAY_MS;
    await store.prune(clock.now);
    assert.equal((await readEvents(instance, token)).status, 200);
  }
  assert.equal((await redeem(instance, code)).status, 400);
  assert.equal((await readEvents(instance, token)).status, 401);
});

test("an unknown code, or one of another realm, revokes nothing", async (t) => {
  const instance = await startInstance(t);
  const { access_token: token } = await connect(instance);
  await assertRefused(await redeem(instance, token), 400, "invalid_grant");
  assert.equal((await readEvents(instance, token)).status, 200);
});

test("too many redemptions from one network wait", async (t) => {
  const { ask, clock } = await startInstance(t, {
    limits: { token: { requests: 3, windowSeconds: 60 } },
  });
  const from = (address: string) =>
    ask(PATH, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
      body: tokenForm({ code: "guess" }),
    });
  clock.now += 15_000;
  for (let count = 0; count < 3; count++) {
    assert.equal((await from(`2001:db8::${count}`)).status, 400);
  }
  const limited = await from("2001:db8::4");
  assert.equal(limited.headers.get("retry-after"), "45");
  await assertRefused(limited, 429, "temporarily_unavailable");
  assert.equal((await from("2001:db8:0:1::1")).status, 400);
});

test("a revoked token is invalid", async (t) => {
  const instance = await startInstance(t);
  const { ask } = instance;
  const { access_token: token } = await connect(instance);
  const revoke = (members: Record<string, string>, headers: Record<string, string> = {}) =>
    ask("/api/oauth/revoke", { method: "POST", headers, body: new URLSearchParams(members) });
  await assertRefused(await revoke({ token, client_id: "nobody" }), 401, "invalid_client");
  await assertRefused(await revoke({ token }), 400, "invalid_request");
  await assertRefused(await revoke({ client_id: APP.id }), 400, "invalid_request");
  const basic = await revoke({ token, client_id: APP.id }, { Authorization: "Basic ZGVtbzo=" });
  assert.equal(basic.headers.get("www-authenticate"), 'Basic realm="events"');
  await assertRefused(basic, 401, "invalid_client");
  assert.equal((await revoke({ token, client_id: OTHER_APP.id })).status, 200);
  assert.equal((await readEvents(instance, token)).status, 200);
  for (let count = 0; count < 2; count++) {
    const done = await revoke({ token, client_id: APP.id, token_type_hint: "refresh_token" });
    assert.equal(done.status, 200);
    assertTokenHeaders(done);
    assert.deepEqual(await done.json(), {});
  }
  assert.equal((await revoke({ token: "never-was", client_id: APP.id })).status, 200);
  assert.equal((await readEvents(instance, token)).status, 401);
});
