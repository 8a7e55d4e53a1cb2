/** Sign-in, consent and token requests. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { EventsTokenResponse } from "../../../src/contract/events/schemas.ts";
import type { ProofAccepted } from "../../../src/contract/password-proof.ts";
import type { PasswordChallenge } from "../../../src/rules/identity/auth-message.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import { deriveKey } from "../../fixtures/password-keys.ts";
import { APP, OLIVE, type EventsInstance } from "./events-instance.ts";
import type { TestBrowser } from "./test-browser.ts";

export { createWireVerifier } from "../../fixtures/password-keys.ts";

export const VERIFIER = "a-verifier-of-at-least-forty-three-characters-000";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
export const [SCHEME_URI = "", LOOPBACK_URI = ""] = APP.redirectUris;
export const STATE = "state-of-the-app-0123456789";

/** Undefined omits a parameter. */
export function authorizePath(given: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: APP.id,
    redirect_uri: LOOPBACK_URI,
    response_type: "code",
    scope: "read:events",
    state: STATE,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...given,
  };
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/api/oauth/authorize?${pairs.join("&")}`;
}

/** What the script of the page sends to prove a password. */
export async function proveChallenge(
  challenge: PasswordChallenge,
  { username, password }: typeof OLIVE,
  view: { readonly purpose: string; readonly interaction: string },
) {
  const { purpose, interaction } = view;
  const attempt = { interaction };
  const login = { purpose, username, password, attempt, challenge };
  const result = await provePassword(login, deriveKey);
  if (result.kind !== "proved") throw new Error(result.kind);
  const { clientNonce, proof, expectedServerSignature } = result;
  const { challengeId } = challenge;
  return { members: { challengeId, clientNonce, proof }, expectedServerSignature };
}

/** Sends wrong proofs until one gets another response than 401. */
export async function guessUntilThrottled(
  browser: TestBrowser,
  username: string,
  given?: string,
): Promise<number> {
  const csrf = given ?? (await browser.see("signIn", "/sign-in")).view.csrf;
  for (let failures = 0; failures < 20; failures++) {
    const begun = await browser.postJson("/sign-in", { action: "begin", csrf, username });
    if (begun.status === 429) return failures;
    const { challengeId } = (await begun.json()) as PasswordChallenge;
    const members = { challengeId, clientNonce: "n".repeat(43), proof: "A".repeat(43) };
    const failed = await browser.postJson("/sign-in", { action: "complete", csrf, ...members });
    assert.equal(failed.status, 401);
  }
  return 20;
}

/** Returns the response to the completed proof. */
export async function trySignIn(
  browser: TestBrowser,
  account: typeof OLIVE = OLIVE,
  path = "/sign-in",
): Promise<Response> {
  return (await beginSignIn(browser, account, path))();
}

/** Returns what completes the sign-in; a refused begin is its response. */
export async function beginSignIn(
  browser: TestBrowser,
  account: typeof OLIVE = OLIVE,
  path = "/sign-in",
): Promise<() => Promise<Response>> {
  const { view } = await browser.see("signIn", path);
  const { csrf } = view;
  const { username } = account;
  const begun = await browser.postJson("/sign-in", { action: "begin", csrf, username });
  if (begun.status !== 200) return async () => begun;
  const challenge = (await begun.json()) as PasswordChallenge;
  const { members, expectedServerSignature } = await proveChallenge(challenge, account, view);
  return async () => {
    const completed = await browser.postJson("/sign-in", { action: "complete", csrf, ...members });
    if (completed.status === 200) {
      const { serverSignature } = (await completed.clone().json()) as ProofAccepted;
      assert.equal(serverSignature, expectedServerSignature);
    }
    return completed;
  };
}

/** Returns the next path. */
export async function signIn(
  browser: TestBrowser,
  account: typeof OLIVE = OLIVE,
  path = "/sign-in",
): Promise<string> {
  const response = await trySignIn(browser, account, path);
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as ProofAccepted).next;
}

/** From an authorization request to the redirect, in a signed-in browser. */
export function decide(
  browser: TestBrowser,
  action: "allow" | "deny" = "allow",
  given: Record<string, string | undefined> = {},
): Promise<Response> {
  return decideAt(browser, authorizePath(given), action);
}

export async function decideAt(
  browser: TestBrowser,
  path: string,
  action: "allow" | "deny",
): Promise<Response> {
  const begun = await browser.get(path);
  assert.equal(begun.status, 302);
  const { view } = await browser.see("consent", begun.headers.get("location") ?? "");
  const { interaction, csrf } = view;
  return browser.submit("/consent", { interaction, csrf, action });
}

export async function obtainCode(
  browser: TestBrowser,
  given: Record<string, string | undefined> = {},
): Promise<string> {
  const response = await decide(browser, "allow", given);
  assert.equal(response.status, 303);
  const code = new URL(response.headers.get("location") ?? "").searchParams.get("code");
  assert.ok(code);
  return code;
}

export function tokenForm(given: Record<string, string | undefined> = {}): URLSearchParams {
  const members: Record<string, string | undefined> = {
    grant_type: "authorization_code",
    client_id: APP.id,
    redirect_uri: LOOPBACK_URI,
    code_verifier: VERIFIER,
    ...given,
  };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) form.set(name, value);
  }
  return form;
}

export function redeem(
  { ask }: Pick<EventsInstance, "ask">,
  code: string,
  given: Record<string, string | undefined> = {},
): Promise<Response> {
  return ask("/api/oauth/token", { method: "POST", body: tokenForm({ code, ...given }) });
}

/** The token of an app after sign-in and consent. */
export async function connect(
  instance: EventsInstance,
  browser?: TestBrowser,
): Promise<EventsTokenResponse> {
  let person = browser;
  if (person === undefined) {
    person = instance.createBrowser();
    await signIn(person);
  }
  const response = await redeem(instance, await obtainCode(person));
  assert.equal(response.status, 200);
  return (await response.json()) as EventsTokenResponse;
}

export function readEvents(
  { ask }: Pick<EventsInstance, "ask">,
  token: string,
  query = "limit=500",
  init: RequestInit = {},
): Promise<Response> {
  return ask(`/api/events?${query}`, { headers: { Authorization: `Bearer ${token}` }, ...init });
}

/** As the script of the settings page does it, in a signed-in browser; `given` changes the request. */
export async function changePassword(
  browser: TestBrowser,
  account: typeof OLIVE,
  verifier: object,
  given: object = {},
): Promise<{ response: Response; expectedServerSignature: string }> {
  const path = "/account/settings";
  const { view, frame } = await browser.see("settings", path);
  const csrf = frame.account?.csrf ?? "";
  const begun = await browser.postJson(path, { action: "begin", csrf });
  const challenge = (await begun.json()) as PasswordChallenge;
  const { members, expectedServerSignature } = await proveChallenge(challenge, account, view);
  const complete = { action: "complete", csrf, ...members, verifier, disconnectApps: false };
  const response = await browser.postJson(path, { ...complete, ...given });
  return { response, expectedServerSignature };
}
