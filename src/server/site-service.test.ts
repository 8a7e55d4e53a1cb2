import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpResponse } from "../http/response.ts";
import type { DownloadSite } from "../web/download/build-download-site.ts";
import { createSiteService } from "./site-service.ts";

const file = (path: string, body: string) => ({
  path,
  body,
  mediaType: "text/html; charset=utf-8",
});
const site: DownloadSite = {
  files: [file("index.html", "<p>ä</p>"), file("de/index.html", "<p>de</p>")],
  headers: { "Content-Security-Policy": "default-src 'none'" },
};

function ask(method: string, target: string, current = site): HttpResponse {
  const request = { method, target, header: () => null, remoteAddress: "", async *body() {} };
  return createSiteService(() => current).respond(request) as HttpResponse;
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
