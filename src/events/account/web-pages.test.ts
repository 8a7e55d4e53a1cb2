import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import type { ConsentView, ErrorView } from "../pages.ts";
import type { HttpResponse } from "../../http/response.ts";
import { LANGUAGES } from "../../contract/language.ts";
import { ERROR_TEXTS } from "../../web/events/error-page.ts";
import { createPageViews, VIEWED_AT } from "../../../test/fixtures/events-page-views.ts";
import { createEventsPages } from "./web-pages.ts";

const pages = createEventsPages({ randomBytes, now: () => VIEWED_AT });
const HOSTILE = `"></form></script><img src=x onerror=alert(1)>'\u202e\u0000`;
const PLAIN = createPageViews("text");
const textOf = ({ body }: HttpResponse) => (typeof body === "string" ? body : "");
const frame = { language: "en", address: "/x", serviceName: "Planner", account: null } as const;
const signedIn = { ...frame, account: { username: "anna", csrf: "c", timeZone: "UTC" } };

/** The pages of which a script shows one part at a time, each with its heading. */
const PARTS_BY_PAGE: Readonly<Record<string, number>> = {
  consent: 3,
  "sign-in link": 3,
  welcome: 6,
};

suite("every page", () => {
  for (const [name, show] of Object.entries(PLAIN)) {
    for (const language of LANGUAGES) {
      test(`${name}, ${language}`, () => {
        const response = show(pages, language);
        const { headers } = response;
        const page = textOf(response);
        assert.match(page, new RegExp(`<html lang="${language}">`));
        assert.equal(page.match(/<h1\b/g)?.length, PARTS_BY_PAGE[name] ?? 1);
        assert.match(page, new RegExp(`lang="${language}"[^<]*aria-current="page"`));
        const nonce = /script-src 'nonce-([^']+)'/.exec(
          headers["Content-Security-Policy"] ?? "",
        )?.[1];
        const tags = page.match(/<(?:style|script)\b[^>]*>/g) ?? [];
        assert.ok(tags.length >= 1 && tags.length <= 2);
        for (const tag of tags) assert.ok(tag.endsWith(` nonce="${nonce}">`), tag);
        assert.doesNotMatch(page, /<(?:link(?! rel="icon" href="data:)|img|iframe|base|object)\b/);
        assert.doesNotMatch(withoutScript(page), /\s(?:style|on[a-z]+|src)=/);
        assert.equal(headers["Referrer-Policy"], "same-origin");
        assert.equal(headers["Content-Length"], String(Buffer.byteLength(page)));
        assert.doesNotMatch(page, /undefined|\[object/);
      });
    }
  }
});

test("hostile text is escaped everywhere", () => {
  for (const [name, show] of Object.entries(createPageViews(HOSTILE))) {
    const plain = PLAIN[name];
    assert.ok(plain);
    assert.deepEqual(
      skeleton(textOf(show(pages, "en"))),
      skeleton(textOf(plain(pages, "en"))),
      name,
    );
  }
});

test("only a calendar that shrank offers to delete what is missing", () => {
  const page = textOf(PLAIN["subscriptions"]?.(pages, "en") ?? pages.home(signedIn));
  assert.equal(page.match(/name="action" value="accept"/g)?.length, 1);
});

test("typed values are shown again unchanged", () => {
  const show = createPageViews('\n a  <b> & "c"')["a subscription in the form"];
  const page = show === undefined ? "" : textOf(show(pages, "en"));
  assert.match(page, /<textarea[^>]*>\n\n a {2}&lt;b&gt; &amp; &quot;c&quot;<\/textarea>/);
});

test("no password field has a name, so that no browser submits it", () => {
  for (const name of ["sign-in", "settings"]) {
    const page = textOf(PLAIN[name]?.(pages, "en") ?? { status: 0, headers: {}, body: "" });
    assert.match(page, /type="password"/);
    assert.doesNotMatch(page, /<input[^>]*type="password"[^>]*\sname=/);
  }
});

suite("the form of the consent page may lead to the app only", () => {
  for (const [redirectUri, expected] of [
    ["trellis-demo://auth/callback", "'self' trellis-demo:"],
    ["com.example.habits:/cb", "'self' com.example.habits:"],
    ["http://localhost:43823/callback", "'self' http://localhost:43823"],
    ["https://App.Example/cb?x=1", "'self' https://app.example"],
    ["http://[::1]:8080/cb", "'self' http://[::1]:8080"],
    ["https://a;script-src.example/cb", "'self'"],
  ] as const) {
    test(redirectUri, () => {
      const view: ConsentView = {
        interaction: "i",
        csrf: "c",
        username: "anna",
        appName: "App",
        redirectUri,
        delivery: redirectUri.startsWith("http") ? "http" : "scheme",
      };
      const policy = pages.consent(view, frame).headers["Content-Security-Policy"] ?? "";
      assert.equal(/form-action ([^;]*);/.exec(policy)?.[1], expected);
      assert.match(policy, /^default-src 'none'; connect-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
    });
  }
});

test("the forms of other pages lead to their own origin only", () => {
  const policy = PLAIN["events"]?.(pages, "en").headers["Content-Security-Policy"];
  assert.match(policy ?? "", /form-action 'self';/);
});

test("a nonce is used once", () => {
  const first = pages.home(signedIn).headers["Content-Security-Policy"];
  assert.notEqual(first, pages.home(signedIn).headers["Content-Security-Policy"]);
});

test("the language switch keeps the rest of the address", () => {
  const page = textOf(pages.home({ ...signedIn, address: "/consent?interaction=a%26b" }));
  assert.match(page, /href="\/consent\?interaction=a%26b&amp;lang=de"/);
});

test("an invalid form has status 400", () => {
  assert.equal(PLAIN["events"]?.(pages, "en").status, 200);
  assert.equal(PLAIN["an event in the form"]?.(pages, "en").status, 400);
  assert.equal(PLAIN["a failed fetch"]?.(pages, "en").status, 400);
  assert.equal(PLAIN["an unknown zone"]?.(pages, "en").status, 400);
});

test("every error is explained in both languages, with a reference for support", () => {
  const codes = Object.keys(ERROR_TEXTS.en.errors) as ErrorView["code"][];
  for (const language of LANGUAGES) {
    for (const code of codes) {
      const view = { status: 429, code, retryAfterSeconds: 75, requestId: "req-12345678" };
      const { status, headers, body } = pages.error(view, { ...frame, language });
      assert.equal(status, 429);
      assert.equal(headers["Retry-After"], "75");
      assert.match(String(body), new RegExp(`429 ${code}[^]*req-12345678`));
      assert.match(
        String(body),
        language === "en" ? /1 minute 15 seconds/ : /1 Minute 15 Sekunden/,
      );
    }
  }
});

test("an account page needs a signed-in account", () => {
  assert.throws(() => pages.apps({ grants: [], notice: null }, frame), /before sign-in/);
});

function withoutScript(page: string): string {
  return page.replace(/(<script[^>]*>)[^]*<\/script>/, "$1");
}

/** The tags and their attribute names, which no text may change. */
function skeleton(page: string): string[] {
  const tags = withoutScript(page).match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replace(/"[^"]*"/g, '""').replace(/\s+/g, " "));
}
