import assert from "node:assert/strict";
import { test } from "node:test";
import { toPlainResponse } from "../../test/fixtures/plain-response.ts";
import type { DownloadSite } from "../../src/web/download/build-download-site.ts";
import { createSiteService } from "./site-service.ts";

const file = (path: string, body: string) => ({
  path,
  body,
  mediaType: "text/html; charset=utf-8",
});
const site: DownloadSite = {
  files: [file("index.html", "<p>ä</p>"), file("de/index.html", "<p>de</p>")],
  translations: { de: "de/" },
  headers: { "Content-Security-Policy": "default-src 'none'" },
};

function ask(method: string, target: string, acceptLanguage: string | null = null) {
  const header = (name: string) => (name === "accept-language" ? acceptLanguage : null);
  const request = { method, target, header, remoteAddress: "", async *body() {} };
  const response = createSiteService(() => site).respond(request);
  assert.ok(!(response instanceof Promise));
  return toPlainResponse(response);
}

test("a file is served by its path, a folder by its index", () => {
  for (const target of ["/", "/index.html", "/?utm=1", "http://a.example/"]) {
    const response = ask("GET", target);
    assert.equal(response.status, 200, target);
    assert.equal(response.body, "<p>ä</p>");
    assert.equal(response.headers["Content-Length"], "9");
    assert.equal(response.headers["Content-Security-Policy"], "default-src 'none'");
  }
  assert.equal(ask("GET", "/de/").body, "<p>de</p>");
});

test("HEAD has the length and no body", () => {
  const response = ask("HEAD", "/");
  assert.equal(response.body, null);
  assert.equal(response.headers["Content-Length"], "9");
});

test("only the files of the site are served", () => {
  for (const target of [
    "/de",
    "/../package.json",
    "/%2e%2e/x",
    "//index.html",
    "*",
    "",
    "/INDEX.html",
  ]) {
    assert.equal(ask("GET", target).status, 404, target);
  }
});

test("another method is refused with Allow", () => {
  const response = ask("POST", "/");
  assert.equal(response.status, 405);
  assert.equal(response.headers["Allow"], "GET, HEAD");
});

test("every response has its own request id", () => {
  const ids = ["/", "/", "/none"].map((target) => ask("GET", target).headers["X-Request-Id"]);
  assert.equal(new Set(ids).size, 3);
});

test("a visitor who prefers German is led to the German page, and caches know it", () => {
  for (const method of ["GET", "HEAD"]) {
    const response = ask(method, "/?utm=1", "de-AT,de;q=0.9,en;q=0.8");
    assert.equal(response.status, 302);
    assert.equal(response.headers["Location"], "/de/?utm=1");
    assert.equal(response.headers["Vary"], "Accept-Language");
  }
  const english = ask("GET", "/", "en-GB,en;q=0.9,de;q=0.8");
  assert.equal(english.status, 200);
  assert.equal(english.headers["Vary"], "Accept-Language");
});

test("a visitor who has chosen a language, or opened another page, is led nowhere", () => {
  for (const target of ["/?lang=en", "/?utm=1&lang=en", "/index.html", "/de/", "/de/?lang=en"]) {
    const response = ask("GET", target, "de");
    assert.equal(response.status, 200, target);
  }
  assert.equal(ask("GET", "/de/", "en").headers["Vary"], undefined);
});
