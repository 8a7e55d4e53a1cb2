/** A person at the real pages; the test does what their scripts do. */
import assert from "node:assert/strict";
import type { EventsTokenResponse } from "../../../src/contract/events/schemas.ts";
import type { ProofAccepted } from "../../../src/contract/password-proof.ts";
import type { PasswordChallenge } from "../../../src/rules/identity/auth-message.ts";
import { proveChallenge, authorizePath, redeem } from "../service/journey.ts";
import type { Ask, TestBrowser } from "../service/test-browser.ts";

export interface Person {
  readonly username: string;
  readonly password: string;
}

const CLIENT = { client_id: "trellis-demo" };

/** From the authorization request to the redirect, with a sign-in if it is required. */
export async function allow(browser: TestBrowser, person: Person): Promise<URL> {
  const begun = await browser.get(authorizePath(CLIENT));
  assert.equal(begun.status, 302);
  let next = begun.headers.get("location") ?? "";
  if (pathOf(next).startsWith("/sign-in")) next = await signIn(browser, person, pathOf(next));
  const consent = await pageAt(browser, pathOf(next));
  const done = await browser.submit("/consent", {
    interaction: hiddenField(consent, "interaction"),
    csrf: hiddenField(consent, "csrf"),
    action: "allow",
  });
  assert.equal(done.status, 303, await done.clone().text());
  return new URL(done.headers.get("location") ?? "");
}

/** Returns the next path. */
export async function signIn(
  browser: TestBrowser,
  person: Person,
  path = "/sign-in",
): Promise<string> {
  const page = await pageAt(browser, path);
  const data = JSON.parse(unescapeHtml(/data-login="([^"]*)"/.exec(page)?.[1] ?? "")) as {
    readonly csrf: string;
    readonly purpose: string;
    readonly attempt: { readonly interaction: string };
  };
  const { csrf, purpose, attempt } = data;
  const { username } = person;
  const begun = await browser.postJson("/sign-in", { action: "begin", csrf, username });
  assert.equal(begun.status, 200, await begun.clone().text());
  const challenge = (await begun.json()) as PasswordChallenge;
  const { interaction } = attempt;
  const { members } = await proveChallenge(challenge, person, { purpose, interaction });
  const completed = await browser.postJson("/sign-in", { action: "complete", csrf, ...members });
  assert.equal(completed.status, 200, await completed.clone().text());
  return ((await completed.json()) as ProofAccepted).next;
}

/** From the authorization request to the token; `redeemAt` may be another process. */
export async function connectApp(
  browser: TestBrowser,
  person: Person,
  redeemAt: Ask,
): Promise<string> {
  const code = (await allow(browser, person)).searchParams.get("code");
  assert.ok(code);
  const response = await redeem({ ask: redeemAt }, code, CLIENT);
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as EventsTokenResponse).access_token;
}

async function pageAt(browser: TestBrowser, path: string): Promise<string> {
  const response = await browser.get(path, { Accept: "text/html" });
  const text = await response.text();
  assert.equal(response.status, 200, text.replaceAll(/<style[\s\S]*?<\/style>/g, ""));
  return text;
}

function hiddenField(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  assert.ok(value !== undefined, `The page has no field ${name}`);
  return unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#34;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function pathOf(location: string): string {
  const { pathname, search } = new URL(location, "http://localhost");
  return pathname + search;
}
