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
    const answer = ask("GET", target);
    assert.equal(answer.status, 200, target);
    assert.equal(answer.body, "<p>ä</p>");
    assert.equal(answer.headers["Content-Length"], "9");
    assert.equal(answer.headers["Content-Security-Policy"], "default-src 'none'");
  }
  assert.equal(ask("GET", "/de/").body, "<p>de</p>");
});

test("HEAD has the length and no body", () => {
  const answer = ask("HEAD", "/");
  assert.equal(answer.body, null);
  assert.equal(answer.headers["Content-Length"], "9");
});

test("nothing but the site's files is served", () => {
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

test("another method is told which ones there are", () => {
  const answer = ask("POST", "/");
  assert.equal(answer.status, 405);
  assert.equal(answer.headers["Allow"], "GET, HEAD");
});

test("every answer has a request id of its own", () => {
  const ids = ["/", "/", "/none"].map((target) => ask("GET", target).headers["X-Request-Id"]);
  assert.equal(new Set(ids).size, 3);
});
