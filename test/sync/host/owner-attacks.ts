/** What a thief of everything that ada's owner page gave a browser tries at bob's, route by route. */
import assert from "node:assert/strict";
import type { OWNER_ROUTES } from "../../../src/contract/sync/owner-routes.ts";
import type { ProofChallenge } from "../../../src/contract/password-proof.ts";
import { LOGIN_PURPOSE } from "../../../src/contract/sync/values.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { deriveKey } from "../../fixtures/password-keys.ts";
import { createOwnerBrowser, type FormData, type OwnerBrowser } from "../service/owner-browser.ts";
import { postJson, type Ask } from "../sync-client.ts";
import { PASSWORD, USERNAME } from "./serve-host.ts";

const OWNER = { username: USERNAME, password: PASSWORD };
const HTML = { Accept: "text/html" };

/** A browser that is signed in to an owner page, and its form tokens. */
interface SignedIn {
  readonly browser: OwnerBrowser;
  readonly form: FormData;
}

export interface OwnerAttack {
  readonly ada: Ask;
  readonly bob: Ask;
  readonly adas: SignedIn;
  readonly bobs: SignedIn;
}

export async function signInOwners(ada: Ask, bob: Ask): Promise<OwnerAttack> {
  return { ada, bob, adas: await signIn(ada), bobs: await signIn(bob) };
}

async function signIn(ask: Ask): Promise<SignedIn> {
  const browser = createOwnerBrowser(ask);
  assert.equal((await browser.signIn(OWNER)).status, 200);
  return { browser, form: await browser.readForm("password") };
}

/** The cookies of `thief` at `ask`, and nothing else of its page. */
function withCookies(ask: Ask, thief: OwnerBrowser): Ask {
  return async (path, init = {}) => {
    const headers = { ...(init.headers as Record<string, string>), Cookie: thief.cookieHeader() };
    const response = await ask(path, { redirect: "manual", ...init, headers });
    // An export that is not read would keep its instance open.
    const { status, headers: received } = response;
    return new Response(await response.text(), { status, headers: received });
  };
}

const submit = (ask: Ask, csrf: string, action: string) =>
  ask("/", {
    method: "POST",
    headers: HTML,
    body: new URLSearchParams({ csrf, action, device: "phone", name: "stolen" }),
  });

/** Proves the password to a challenge of ada's, as bob's page would have to have it. */
async function proveElsewhere(
  challengeOf: (form: FormData) => Promise<Response>,
  adas: FormData,
  bobs: FormData,
): Promise<object> {
  const begun = await challengeOf(adas);
  assert.equal(begun.status, 200);
  const challenge = (await begun.json()) as ProofChallenge;
  const { attempt } = bobs;
  const proved = await provePassword(
    { purpose: LOGIN_PURPOSE, ...OWNER, attempt, challenge },
    deriveKey,
  );
  if (proved.kind !== "proved") throw new Error(proved.kind);
  const { clientNonce, proof } = proved;
  return {
    action: "complete",
    csrf: bobs.csrf,
    challengeId: challenge.challengeId,
    clientNonce,
    proof,
  };
}

const VERIFIER = {
  salt: "c2FsdHNhbHRzYWx0c2FsdA",
  iterations: 600_000,
  storedKey: "A".repeat(43),
  serverKey: "A".repeat(43),
};

const OWNER_ACTIONS = [
  "name",
  "revoke",
  "sign-out",
  "sign-out-browser",
  "sign-out-everywhere",
  "sign-in-again",
  "name-passkey",
  "remove-passkey",
  "delete-everything",
];

/** One attack per route of the owner's page; each returns bob's responses. */
export const OWNER_ATTACKS: Readonly<
  Record<keyof typeof OWNER_ROUTES, (attack: OwnerAttack) => Promise<Response[]>>
> = {
  async getOwnerPage({ bob, adas }) {
    const response = await withCookies(bob, adas.browser)("/", { headers: HTML });
    const page = await response.clone().text();
    assert.match(page, /data-login=/, "bob's page is open to ada's cookie");
    assert.doesNotMatch(page, /Signed in as|phone/);
    return [response];
  },
  async changeOwner({ bob, adas, bobs }) {
    const responses: Response[] = [];
    for (const action of OWNER_ACTIONS) {
      const stolen = await submit(withCookies(bob, adas.browser), adas.form.csrf, action);
      assert.equal(stolen.status, 303);
      assert.deepEqual(stolen.headers.getSetCookie(), []);
      // Ada's form token in bob's own browser, as a page of ada's would submit it.
      const forged = await submit(withCookies(bob, bobs.browser), adas.form.csrf, action);
      assert.equal(forged.status, 403);
      responses.push(stolen, forged);
    }
    assert.equal((await bobs.browser.readForm("password")).csrf, bobs.form.csrf);
    return responses;
  },
  async ownerSignIn({ ada, bob }) {
    const [atAda, atBob] = [createOwnerBrowser(ada), createOwnerBrowser(bob)];
    const forms = [await atAda.readForm("login"), await atBob.readForm("login")] as const;
    const begin = ({ csrf }: FormData) => ({ action: "begin", csrf, username: USERNAME });
    const signInAt = (ask: Ask, body: object) => postJson(ask, "/owner/sign-in", body);
    const stolen = await signInAt(withCookies(bob, atAda), begin(forms[0]));
    const forged = await signInAt(withCookies(bob, atBob), begin(forms[0]));
    assert.deepEqual([stolen.status, forged.status], [403, 403]);
    const proof = await proveElsewhere(
      (form) => signInAt(withCookies(ada, atAda), begin(form)),
      ...forms,
    );
    const replayed = await signInAt(withCookies(bob, atBob), proof);
    assert.equal(replayed.status, 401);
    return [stolen, forged, replayed];
  },
  async changeOwnerPassword({ ada, bob, adas, bobs }) {
    const begin = ({ csrf }: FormData) => ({ action: "begin", csrf });
    const changeAt = (ask: Ask, body: object) => postJson(ask, "/owner/password", body);
    const stolen = await changeAt(withCookies(bob, adas.browser), begin(adas.form));
    const forged = await changeAt(withCookies(bob, bobs.browser), begin(adas.form));
    assert.deepEqual([stolen.status, forged.status], [403, 403]);
    const proof = await proveElsewhere(
      (form) => changeAt(withCookies(ada, adas.browser), begin(form)),
      adas.form,
      bobs.form,
    );
    const change = { ...proof, verifier: VERIFIER, signOutDevices: true };
    const replayed = await changeAt(withCookies(bob, bobs.browser), change);
    assert.equal(replayed.status, 401);
    // Bob's password is what it was.
    assert.equal((await createOwnerBrowser(bob).signIn(OWNER)).status, 200);
    return [stolen, forged, replayed];
  },
  async ownerPasskeySignIn({ ada, bob }) {
    const [atAda, atBob] = [createOwnerBrowser(ada), createOwnerBrowser(bob)];
    const { csrf } = await atAda.readForm("login");
    await atBob.readForm("login");
    const responses: Response[] = [];
    for (const thief of [atAda, atBob]) {
      const begin = { action: "begin", csrf };
      responses.push(await postJson(withCookies(bob, thief), "/owner/passkey", begin));
    }
    for (const { status } of responses) assert.equal(status, 403);
    return responses;
  },
  async addOwnerPasskey({ bob, adas, bobs }) {
    const begin = { action: "begin", csrf: adas.form.csrf };
    const responses: Response[] = [];
    for (const { browser } of [adas, bobs]) {
      responses.push(await postJson(withCookies(bob, browser), "/owner/passkeys", begin));
    }
    for (const { status } of responses) assert.equal(status, 403);
    return responses;
  },
  async exportEntities({ bob, adas, bobs }) {
    const stolen = await withCookies(bob, adas.browser)("/owner/export.json");
    assert.equal(stolen.status, 303);
    const own = await withCookies(bob, bobs.browser)("/owner/export.json");
    assert.equal(own.status, 200);
    return [stolen, own];
  },
};

/** No route under `/v1` reads a cookie: neither of another instance nor of its own. */
export async function tryCookiesUnderApi({ ada, bob, adas }: OwnerAttack): Promise<Response[]> {
  const responses: Response[] = [];
  for (const ask of [withCookies(bob, adas.browser), withCookies(ada, adas.browser)]) {
    for (const path of ["/v1/pull", "/v1/snapshot", "/v1/changes", "/v1/device"]) {
      responses.push(await ask(path));
    }
    responses.push(await ask("/v1/device", { method: "DELETE" }));
    responses.push(await postJson(ask, "/v1/revoke", { scope: "all" }));
    const operations = [createOperation({ deviceId: "thief", sequence: 1 })];
    responses.push(await postJson(ask, "/v1/push", { operations }));
  }
  for (const { status } of responses) assert.equal(status, 401);
  return responses;
}
