import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { toPlainResponse } from "../../test/fixtures/plain-response.ts";
import { createSiteService, type ServedSite } from "./site-service.ts";

const file = (path: string, body: string) => ({
  path,
  body,
  mediaType: "text/html; charset=utf-8",
});
const LONG = "<p>Grüße</p>".repeat(200);
const PIXELS = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const IMMUTABLE = "public, max-age=31536000, immutable";
const site: ServedSite = {
  files: [
    file("index.html", "<p>ä</p>"),
    file("de/index.html", "<p>de</p>"),
    { ...file("long-1a2b.html", LONG), cacheControl: IMMUTABLE },
    { path: "icon.png", mediaType: "image/png", body: PIXELS },
  ],
  translations: { de: "de/" },
  headers: { "Content-Security-Policy": "default-src 'none'" },
};

const service = createSiteService(() => site);

async function ask(method: string, target: string, headers: Readonly<Record<string, string>> = {}) {
  const header = (name: string) => headers[name] ?? null;
  const request = { method, target, header, remoteAddress: "", async *body() {} };
  return toPlainResponse(await service.respond(request));
}

test("a file is served by its path, a folder by its index", async () => {
  for (const target of ["/", "/index.html", "/?utm=1", "http://a.example/"]) {
    const response = await ask("GET", target);
    assert.equal(response.status, 200, target);
    assert.equal(response.body, "<p>ä</p>");
    assert.equal(response.headers["Content-Length"], "9");
    assert.equal(response.headers["Content-Security-Policy"], "default-src 'none'");
  }
  assert.equal((await ask("GET", "/de/")).body, "<p>de</p>");
});

test("HEAD has the length and no body", async () => {
  const response = await ask("HEAD", "/");
  assert.equal(response.body, null);
  assert.equal(response.headers["Content-Length"], "9");
});

test("only the files of the site are served", async () => {
  for (const target of [
    "/de",
    "/../package.json",
    "/%2e%2e/x",
    "//index.html",
    "*",
    "",
    "/INDEX.html",
  ]) {
    assert.equal((await ask("GET", target)).status, 404, target);
  }
});

test("another method is refused with Allow", async () => {
  const response = await ask("POST", "/");
  assert.equal(response.status, 405);
  assert.equal(response.headers["Allow"], "GET, HEAD");
});

test("every response has its own request id", async () => {
  const responses = await Promise.all(["/", "/", "/none"].map((target) => ask("GET", target)));
  assert.equal(new Set(responses.map(({ headers }) => headers["X-Request-Id"])).size, 3);
});

test("a visitor who prefers German is led to the German page, and caches know it", async () => {
  for (const method of ["GET", "HEAD"]) {
    const response = await ask(method, "/?utm=1", {
      "accept-language": "de-AT,de;q=0.9,en;q=0.8",
    });
    assert.equal(response.status, 302);
    assert.equal(response.headers["Location"], "/de/?utm=1");
    assert.equal(response.headers["Vary"], "Accept-Language");
  }
  const english = await ask("GET", "/", { "accept-language": "en-GB,en;q=0.9,de;q=0.8" });
  assert.equal(english.status, 200);
  assert.equal(english.headers["Vary"], "Accept-Language, Accept-Encoding");
});

test("a visitor who has chosen a language, or opened another page, is led nowhere", async () => {
  for (const target of ["/?lang=en", "/?utm=1&lang=en", "/index.html", "/de/", "/de/?lang=en"]) {
    const response = await ask("GET", target, { "accept-language": "de" });
    assert.equal(response.status, 200, target);
  }
  const german = await ask("GET", "/de/", { "accept-language": "en" });
  assert.equal(german.headers["Vary"], "Accept-Encoding");
});

test("a file is compressed as the client takes it, with a length and a tag of its own", async () => {
  const [plain, gzip, br, head] = await Promise.all([
    ask("GET", "/long-1a2b.html"),
    ask("GET", "/long-1a2b.html", { "accept-encoding": "gzip, deflate" }),
    ask("GET", "/long-1a2b.html", { "accept-encoding": "gzip, deflate, br" }),
    ask("HEAD", "/long-1a2b.html", { "accept-encoding": "gzip, deflate, br" }),
  ]);
  assert.equal(plain.body, LONG);
  assert.equal(gunzipSync(gzip.body as Uint8Array).toString(), LONG);
  assert.equal(brotliDecompressSync(br.body as Uint8Array).toString(), LONG);
  assert.equal(plain.headers["Content-Encoding"], undefined);
  assert.equal(gzip.headers["Content-Encoding"], "gzip");
  assert.equal(br.headers["Content-Encoding"], "br");
  for (const { headers } of [plain, gzip, br]) {
    assert.equal(headers["Vary"], "Accept-Encoding");
    assert.equal(headers["Cache-Control"], IMMUTABLE);
  }
  for (const { headers, body } of [plain, gzip, br]) {
    assert.equal(headers["Content-Length"], String(Buffer.byteLength(body as Uint8Array)));
  }
  assert.equal(new Set([plain, gzip, br].map(({ headers }) => headers["ETag"])).size, 3);
  const { "X-Request-Id": _, ...expected } = br.headers;
  const { "X-Request-Id": __, ...found } = head.headers;
  assert.deepEqual(found, expected);
  assert.equal(head.body, null);
});

test("a file is compressed once for all requests", async () => {
  const accept = { "accept-encoding": "br" };
  const [first, second] = [
    await ask("GET", "/long-1a2b.html", accept),
    await ask("GET", "/long-1a2b.html", accept),
  ];
  assert.equal(first.body, second.body, "the same bytes");
});

test("what is compressed already is sent as it is", async () => {
  const response = await ask("GET", "/icon.png", { "accept-encoding": "br" });
  assert.equal(response.body, PIXELS);
  assert.equal(response.headers["Content-Encoding"], undefined);
  assert.equal(response.headers["Vary"], undefined);
});

test("a browser that has the file gets no body, and asks again unless the name has a hash", async () => {
  const accept = { "accept-encoding": "gzip" };
  const first = await ask("GET", "/", accept);
  assert.equal(first.headers["Cache-Control"], "no-cache");
  const etag = first.headers["ETag"] ?? "";
  assert.match(etag, /^"/);
  for (const method of ["GET", "HEAD"]) {
    const again = await ask(method, "/", { ...accept, "if-none-match": etag });
    assert.equal(again.status, 304);
    assert.equal(again.body, null);
    assert.equal(again.headers["ETag"], etag);
    assert.equal(again.headers["Vary"], "Accept-Language, Accept-Encoding");
  }
  const other = await ask("GET", "/", { "if-none-match": etag });
  assert.equal(other.status, 200, "the tag is that of another encoding");
});

test("a browser gets a page for a file that is not there", async () => {
  const german = { accept: "text/html", "accept-language": "de" };
  const page = await ask("GET", "/nowhere", german);
  assert.equal(page.status, 404);
  assert.match(String(page.body), /Seite nicht gefunden/);
  assert.match(page.headers["Content-Security-Policy"] ?? "", /nonce-/);
  assert.equal((await ask("GET", "/nowhere", { accept: "*/*" })).body, "Not found\n");
});
