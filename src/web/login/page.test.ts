import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES, type Language } from "../../contract/language.ts";
import type { LoginErrorView } from "../../contract/sync/page-views.ts";
import { renderLoginErrorPage, renderLoginPage, type LoginPageOptions } from "./page.ts";

const options: LoginPageOptions = {
  language: "en",
  displayName: "My sync",
  nonce: "bm9uY2U",
  languageUrls: { en: "?lang=en", de: "?lang=de" },
  origin: "https://sync.example.com",
  ownAddress: "https://sync.example.com/v1/authorize?state=0123456789abcdef",
  endpoint: "/v1/authorize",
  csrfHeader: "X-Service-CSRF",
  purpose: "trellis-sync-login",
  attempt: {
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: "0123456789abcdef",
    redirectUri: "http://localhost:43823/callback",
    attemptId: "attempt-1",
    deviceId: "phone",
  },
  delivery: "query",
};
const render = (changes: Partial<LoginPageOptions> = {}) =>
  renderLoginPage({ ...options, ...changes });
const errorView: LoginErrorView = {
  status: 400,
  code: "invalid_authorization_request",
  reason: null,
  requestId: "req-12345678",
};
const renderError = (changes: Partial<LoginErrorView> = {}, language: Language = "en") =>
  renderLoginErrorPage({ ...options, language }, { ...errorView, ...changes });

test("the page has one style and one script, both with its nonce, and loads nothing", () => {
  const page = render();
  assert.deepEqual(page.match(/<(?:style|script)\b[^>]*>/g), [
    '<style nonce="bm9uY2U">',
    '<script nonce="bm9uY2U">',
  ]);
  // Its icon is inside the page.
  assert.deepEqual(page.match(/<link\b[^>]*?href="[^,]*,/g), [
    '<link rel="icon" href="data:image/svg+xml,',
  ]);
  assert.doesNotMatch(page, /<(?:img|iframe|base|object)\b/);
  assert.doesNotMatch(page.replace(/<script[^]*<\/script>/, ""), /\s(?:style|on[a-z]+|src)=/);
});

test("each page is in its language and links to the other", () => {
  assert.match(render(), /<html lang="en">[^]*<h1>Sign in<\/h1>/);
  const german = render({ language: "de" });
  assert.match(german, /<html lang="de">[^]*<h1>Anmelden<\/h1>/);
  assert.match(german, /href="\?lang=en"/);
  assert.match(german, /aria-current="page"\s*>Deutsch</);
});

test("the page names the service and the address of the app", () => {
  assert.match(render(), /<title>Sign in to My sync<\/title>/);
  for (const [redirectUri, shown] of [
    ["http://localhost:43823/callback", "<b>http://localhost:43823</b>/callback"],
    ["https://app.example?x=1", "<b>https://app.example</b>?x=1"],
    ["com.example.habits:/cb", "<b>com.example.habits:</b>/cb"],
    ["trellis-demo://auth/cb", "<b>trellis-demo:</b>//auth/cb"],
  ] as const) {
    const page = render({ attempt: { ...options.attempt, redirectUri } });
    assert.ok(page.includes(`<code>${shown}</code>`), redirectUri);
  }
});

test("no field has a name, so that no browser submits it", () => {
  const page = render();
  assert.equal(page.match(/<input\b/g)?.length, 2);
  assert.doesNotMatch(page, /<(?:input|button)\b[^>]*\sname=/);
  assert.match(page, /autocomplete="username"/);
  assert.match(page, /autocomplete="current-password"/);
});

test("hostile text is escaped everywhere", () => {
  const hostile = `"></form></script><img src=x onerror=alert(1)>'\u202e\u0000`;
  const attempt = { ...options.attempt, state: hostile, redirectUri: `app:${hostile}` };
  const page = render({ displayName: hostile, attempt, csrfHeader: hostile, endpoint: hostile });
  assert.deepEqual(skeleton(page), skeleton(render()));
});

test("the script gets address and state unchanged", () => {
  const attempt = {
    ...options.attempt,
    state: `"'&<>\\`,
    redirectUri: "app://\u202e/\u0000é😀",
  };
  const data = /data-login="([^"]*)"/.exec(render({ attempt }))?.[1] ?? "";
  const text = data
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  assert.deepEqual((JSON.parse(text) as LoginPageOptions).attempt, attempt);
});

test("an invalid request is explained, with a reference for support", () => {
  const page = renderError();
  assert.match(page, /This sign-in link does not work/);
  assert.match(page, /400 invalid_authorization_request/);
  assert.match(page, /req-12345678/);
  assert.doesNotMatch(page, /<script|<form/);
  assert.match(renderError({}, "de"), /Dieser Anmeldelink funktioniert nicht/);
});

test("a redirect URI that is not on the list is told apart, in both languages", () => {
  const reason = "redirect-not-listed";
  const page = renderError({ reason });
  assert.match(page, /This app is not allowed on this server/);
  assert.match(page, /ask the operator of this server to allow its redirect URI/);
  assert.match(page, /400 invalid_authorization_request/);
  assert.match(renderError({ reason }, "de"), /Diese App ist auf diesem Server nicht zugelassen/);
});

test("the page knows its own address, for a browser that opened it at another", () => {
  const page = render();
  assert.match(page, /id="other-address" hidden[^]*This page was opened at another address/);
  const href = "https://sync.example.com/v1/authorize?state=0123456789abcdef";
  assert.ok(page.includes(`&quot;ownAddress&quot;:&quot;${href}&quot;`));
  assert.match(page, /<a class="button" id="own-address">Open the page there<\/a>/);
  assert.ok(page.includes("<strong>https://sync.example.com</strong>"));
});

test("a temporary error does not blame the link", () => {
  for (const status of [429, 500, 503]) {
    const page = renderError({ status });
    assert.match(page, /not possible right now/);
    assert.doesNotMatch(page, /does not work/);
  }
});

test("both languages have every message with the same placeholders", () => {
  const attributes = LANGUAGES.map((language) => {
    const data = /data-login="([^"]*)"/.exec(render({ language }))?.[1] ?? "";
    const { messages } = JSON.parse(data.replaceAll("&quot;", '"').replaceAll("&#39;", "'")) as {
      messages: Record<string, string>;
    };
    return Object.entries(messages).map(
      ([name, text]) => `${name} ${text.match(/\{\w+\}/g)?.join() ?? ""} ${text.length > 0}`,
    );
  });
  assert.deepEqual(attributes[0], attributes[1]);
});

/** The tags and their attribute names, which no text may change. */
function skeleton(markup: string): string[] {
  const tags = markup.replace(/(<script[^>]*>)[^]*<\/script>/, "$1").match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replace(/"[^"]*"/g, '""'));
}
