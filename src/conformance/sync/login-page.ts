/** The sign-in page: how it is asked for, and what is read from it. */
import { describeAnswer, expectHeader, expectStatus, violate } from "../expect.ts";
import type { HttpResponse } from "../http.ts";
import { AUTHORIZE } from "./sign-in.ts";
import type { SyncTarget } from "./target.ts";

export type PageQuery = Record<string, string>;

export function pageQuery(target: SyncTarget): PageQuery {
  return {
    response_type: "code",
    redirect_uri: target.redirectUri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: "state-of-conformance",
    attempt_id: "attempt-1",
    device_id: "device-1",
  };
}

export function pagePath(target: SyncTarget, changes: PageQuery = {}): string {
  return pathOfQuery({ ...pageQuery(target), ...changes });
}

export function pathOfQuery(query: PageQuery): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${AUTHORIZE}?${pairs.join("&")}`;
}

export function expectHtml(answer: HttpResponse, status: number): string {
  expectStatus(answer, status);
  expectHeader(answer, "Content-Type", "text/html; charset=utf-8");
  return new TextDecoder().decode(answer.body);
}

export function expectLanguage(answer: HttpResponse, language: string, status = 200): void {
  const found = /<html\b[^>]*\blang="([^"]*)"/i.exec(expectHtml(answer, status))?.[1];
  if (found === language) return;
  violate(answer.asked, `a page in "${language}"`, `one in "${found ?? "no language"}"`);
}

/** Sync contract, Authentication 9. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

/** The nonce of a page whose policy is exactly the contract's. */
export function expectPagePolicy(answer: HttpResponse): string {
  const policy = answer.header("Content-Security-Policy");
  const wrong = (expected: string) =>
    violate(answer.asked, expected, policy ?? `no policy, ${describeAnswer(answer)}`);
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
  if (directives.size !== Object.keys(DIRECTIVES).length + 2) wrong("a policy that allows no more");
  return nonce[1];
}
