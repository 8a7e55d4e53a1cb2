import { describeResponse, expectEach, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { expectError, expectErrorAt, expectHtml, expectInstanceInfo } from "../expectations.ts";
import { pagePath, pageQuery } from "../requests.ts";
import { syncCases } from "../server-under-test.ts";
import { AUTHORIZE } from "../sign-in.ts";

/** Attributes and style rules that load a resource. */
const LOADS =
  /\b(?:src|srcset|href|action|poster|data)\s*=\s*"([^"]*)"|\burl\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/gi;
const ELSEWHERE = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i;

/** An icon that is part of the page. */
const ICON = /<link rel="icon" href="data:[^"]*"/gi;

/** Sync contract, Authentication 9. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

export const LOGIN_PAGE_CASES = syncCases({
  "login-page-shows-where-you-are": {
    title:
      "GET /v1/authorize answers an HTML document with the instance's name and fields that browsers fill",
    section: "sync contract, GET /v1/authorize; Instance info",
    async run(server) {
      const response = await server.api.get(pagePath(server));
      const page = expectHtml(response, 200);
      const { name } = expectInstanceInfo(await server.api.get("/v1/instance-info"));
      const wanted: [what: string, pattern: RegExp][] = [
        ["the instance's name", new RegExp(`>\\s*${toHtmlPattern(name)}\\s*<`, "u")],
        ["a document", /^\s*<!doctype html>/i],
        ["a field that browsers fill with the user name", /autocomplete="username(?: webauthn)?"/],
        ["a field that browsers fill with the password", /autocomplete="current-password"/],
        ["a hidden password", /type="password"/],
        ["a status that is announced", /role="status"|aria-live=/],
        ["a width that follows the screen", /<meta\s+name="viewport"/],
      ];
      await expectEach(wanted, ([what, pattern]) => {
        if (!pattern.test(page)) fail(response, `a page with ${what}`, "one without");
      });
    },
  },
  "login-page-has-exactly-its-policy": {
    title:
      "The page's Content-Security-Policy allows its own script and style by nonce, an icon that is part of it, and nothing else",
    section: "sync contract, Authentication 9",
    async run(server) {
      expectPagePolicy(await server.api.get(pagePath(server)));
      expectPagePolicy(await server.api.get(pagePath(server, { lang: "de" })));
    },
  },
  "login-page-nonce-differs-per-response": {
    title: "Every response has a nonce of its own, and its script and style carry it",
    section: "sync contract, GET /v1/authorize: per-response nonce",
    async run(server) {
      const nonces = new Set<string>();
      for (let count = 0; count < 3; count++) {
        const response = await server.api.get(pagePath(server));
        const nonce = expectPagePolicy(response);
        if (nonces.has(nonce)) fail(response, "a nonce that was not used before", nonce);
        nonces.add(nonce);
        const page = expectHtml(response, 200);
        for (const [tag] of page.matchAll(/<(?:script|style)\b[^>]*>/gi)) {
          if (!tag.includes(`nonce="${nonce}"`)) fail(response, `nonce="${nonce}"`, tag);
        }
      }
    },
  },
  "login-page-loads-nothing-from-elsewhere": {
    title: "The page has no third-party script, font, image or style",
    section: "sync contract, GET /v1/authorize: no third-party content",
    async run(server) {
      const response = await server.api.get(pagePath(server));
      const page = expectHtml(response, 200);
      for (const [whole, ...found] of page.matchAll(LOADS)) {
        const address = found.find((item) => item !== undefined) ?? "";
        if (ELSEWHERE.test(address)) fail(response, "nothing from elsewhere", whole);
      }
      const rest = page.replaceAll(ICON, "");
      if (/<(?:link|iframe|object|embed|img)\b/i.test(rest)) {
        fail(response, "a page that loads nothing", "an element that does");
      }
    },
  },
  "login-page-speaks-german-and-english": {
    title: "lang decides the language, then Accept-Language, then English",
    section: "sync contract, GET /v1/authorize: lang; Trellis decision, sync service: lang absent",
    async run(server) {
      const requests: [lang: string | undefined, accept: string | null, language: string][] = [
        ["de", null, "de"],
        ["en", null, "en"],
        ["de", "en", "de"],
        ["en", "de", "en"],
        [undefined, null, "en"],
        [undefined, "de", "de"],
        [undefined, "de-AT,de;q=0.9,en;q=0.5", "de"],
        [undefined, "en;q=0.9,de;q=0.1", "en"],
        [undefined, "fr,it;q=0.5", "en"],
        [undefined, "fr,de;q=0.5", "de"],
      ];
      await expectEach(requests, async ([lang, accept, language]) => {
        const headers = accept === null ? {} : { "Accept-Language": accept };
        expectLanguage(await server.api.get(pagePath(server, { lang }), headers), language);
      });
    },
  },
  "authorize-needs-its-parameters": {
    title: "A missing parameter of GET /v1/authorize is invalid_authorization_request",
    section: "sync contract, GET /v1/authorize; Trellis decision, sync service: its code",
    run(server) {
      const names = Object.keys(pageQuery(server));
      const paths = names.map((name) => pagePath(server, { [name]: undefined }));
      return expectErrorAt(server.api, "invalid_authorization_request", [...paths, AUTHORIZE]);
    },
  },
  "authorize-takes-no-other-parameters": {
    title: "GET /v1/authorize accepts exactly its parameters",
    section: "sync contract, GET /v1/authorize: exactly these query parameters",
    run(server) {
      const others = [
        { code_challenge_method: "S256" },
        { client_id: "app" },
        { scope: "sync" },
        { State: "state-of-conformance" },
      ];
      const paths = others.map((other) => pagePath(server, other));
      return expectErrorAt(server.api, "invalid_authorization_request", paths);
    },
  },
  "authorize-parameters-are-checked": {
    title:
      "Every parameter of GET /v1/authorize has its grammar, and the redirect URI is exactly a configured one",
    section: "sync contract, GET /v1/authorize; Trellis decision, sync service: grammars",
    run(server) {
      const { redirectUri } = server;
      const wrong: Record<string, string[]> = {
        response_type: ["token", "CODE", "", "code token"],
        redirect_uri: [
          "",
          "https://elsewhere.example/callback",
          `${redirectUri}/`,
          `${redirectUri}?x=1`,
          `${redirectUri}#x`,
          `${redirectUri}x`,
          ` ${redirectUri}`,
          redirectUri.toUpperCase(),
          "javascript:alert(1)",
        ],
        code_challenge: [
          "",
          "a".repeat(42),
          "a".repeat(44),
          `${"a".repeat(42)}=`,
          `${"a".repeat(42)}+`,
        ],
        state: [
          "",
          "s".repeat(15),
          "s".repeat(513),
          "sixteen letters ä",
          "sixteen characters and spaces",
        ],
        attempt_id: ["", "a".repeat(129), "a/b", "a b", "ä"],
        device_id: ["", "d".repeat(129), "d/e", "d e", "ä"],
        lang: ["", "fr", "DE", "de-DE"],
      };
      const paths = Object.entries(wrong).flatMap(([name, values]) =>
        values.map((value) => pagePath(server, { [name]: value })),
      );
      return expectErrorAt(server.api, "invalid_authorization_request", paths);
    },
  },
  "authorize-accepts-the-whole-grammar": {
    title:
      "The shortest and the longest state and ids are accepted, with every character they may have",
    section: "Trellis decision, sync service: grammars",
    async run(server) {
      const right = [
        { state: "s".repeat(16) },
        { state: "s".repeat(512) },
        { state: "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~" },
        { attempt_id: "a" },
        { attempt_id: "a".repeat(128) },
        { device_id: "d" },
        { device_id: `A.z_0~9-${"d".repeat(120)}` },
      ];
      await expectEach(right, async (change) =>
        expectHtml(await server.api.get(pagePath(server, change)), 200),
      );
    },
  },
  "authorize-values-cannot-break-out-of-the-page": {
    title: "What comes in the query is never markup on the page",
    section: "sync contract, GET /v1/authorize; Authentication 9",
    async run(server) {
      const state = "'\"><script>x</script>";
      const page = expectHtml(await server.api.get(pagePath(server, { state })), 200);
      if (page.includes("<script>x")) fail("GET /v1/authorize", "an escaped state", "markup");
      const path = pagePath(server, { lang: state });
      const wrong = await server.api.get(path, { Accept: "text/html" });
      if (expectHtml(wrong, 400).includes("<script>x")) {
        fail(wrong, "an escaped address", "markup");
      }
    },
  },
  "authorize-errors-are-for-people-too": {
    title:
      "A browser gets an error of GET /v1/authorize as a page with status, code and request id; others get JSON",
    section: "Trellis decision, sync service: errors of GET /v1/authorize",
    async run(server) {
      const { api } = server;
      const wrong = pagePath(server, { redirect_uri: "https://elsewhere.example/callback" });
      const code = "invalid_authorization_request";
      expectError(await api.get(wrong), code);
      expectError(await api.get(wrong, { Accept: "application/json" }), code);
      const Accept = "text/html,application/xhtml+xml,*/*;q=0.8";
      const response = await api.get(wrong, { Accept });
      const page = expectHtml(response, 400);
      for (const part of [code, response.header("X-Request-Id") ?? "an id"]) {
        if (!page.includes(part)) fail(response, `a page with ${part}`, "one without");
      }
      expectPagePolicy(response);
      expectLanguage(await api.get(wrong, { Accept, "Accept-Language": "de" }), "de", 400);
      expectLanguage(await api.get(wrong, { Accept, "Accept-Language": "en" }), "en", 400);
    },
  },
});

/** Matches the text in HTML: letters and digits as they are, the rest also as character references. */
function toHtmlPattern(text: string): string {
  return text.replaceAll(
    /[^\p{L}\p{N} ]/gu,
    (character) => `(?:\\u{${character.codePointAt(0)?.toString(16)}}|&#?\\w+;)`,
  );
}

function expectLanguage(response: ReceivedResponse, language: string, status = 200): void {
  const found = /<html\b[^>]*\blang="([^"]*)"/i.exec(expectHtml(response, status))?.[1];
  if (found === language) return;
  fail(response, `a page in "${language}"`, `one in "${found ?? "no language"}"`);
}

/** Returns the nonce of the page. */
function expectPagePolicy(response: ReceivedResponse): string {
  const policy = response.header("Content-Security-Policy");
  const wrong = (expected: string) =>
    fail(response, expected, policy ?? `no policy, ${describeResponse(response)}`);
  const directives = new Map(
    (policy ?? "")
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", ...sources] = part.split(/\s+/);
        return [name.toLowerCase(), sources.join(" ")] as const;
      }),
  );
  for (const [name, value] of Object.entries(DIRECTIVES)) {
    if (directives.get(name) !== value) wrong(`a policy with ${name} ${value}`);
  }
  const nonce = /^'nonce-([A-Za-z0-9+/_-]{16,}={0,2})'$/.exec(directives.get("script-src") ?? "");
  if (nonce?.[1] === undefined) return wrong("a policy with script-src of one nonce alone");
  if (directives.get("style-src") !== nonce[0]) wrong("a policy with style-src of the same nonce");
  // For the icon.
  if (directives.get("img-src") === "data:") directives.delete("img-src");
  if (directives.size !== Object.keys(DIRECTIVES).length + 2) wrong("a policy that allows no more");
  return nonce[1];
}
