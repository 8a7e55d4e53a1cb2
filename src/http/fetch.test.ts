import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlainService } from "../../test/fixtures/plain-response.ts";
import type { HttpService } from "./create-http-service.ts";
import { handleFetch } from "./fetch.ts";
import type { RawRequest } from "./request.ts";
import { jsonResponse } from "./response.ts";

function capture(): { service: HttpService; seen: RawRequest[] } {
  const seen: RawRequest[] = [];
  return {
    seen,
    service: createPlainService((request) => {
      seen.push(request);
      return jsonResponse(200, '{"ok":true}');
    }),
  };
}

for (const [url, target] of [
  ["https://a.example", "/"],
  ["https://a.example?x=1", "/?x=1"],
  ["https://a.example:8443/a/b?c=d#e", "/a/b?c=d"],
  ["https://a.example/a%2Fb%zz?c=%zz", "/a%2Fb%zz?c=%zz"],
  ["https://a.example//evil.example/a", "//evil.example/a"],
  ["https://a.example/a?b=https://c.example/#d", "/a?b=https://c.example/"],
  ["https://a.example/a#b?c", "/a"],
] as const) {
  test(`${url} has the target ${target}`, async () => {
    const { service, seen } = capture();
    await handleFetch(service, new Request(url));
    assert.equal(seen[0]?.target, target);
  });
}

test("headers are found by their lower-case name, and a repeated one is joined", async () => {
  const { service, seen } = capture();
  const headers = new Headers({ "User-Agent": "x" });
  headers.append("If-None-Match", '"a"');
  headers.append("If-None-Match", '"b"');
  await handleFetch(service, new Request("https://a.example/", { headers }));
  assert.equal(seen[0]?.header("user-agent"), "x");
  assert.equal(seen[0]?.header("if-none-match"), '"a", "b"');
  assert.equal(seen[0]?.header("x-none"), null);
});

test("a body is read in chunks, and an absent body has none", async () => {
  const { service, seen } = capture();
  await handleFetch(service, new Request("https://a.example/", { method: "POST", body: "abc" }));
  await handleFetch(service, new Request("https://a.example/"));
  const texts: string[] = [];
  for (const request of seen) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.body()) chunks.push(chunk);
    texts.push(Buffer.concat(chunks).toString());
  }
  assert.deepEqual(texts, ["abc", ""]);
});

test("a response of the service becomes a Response, with or without a body", async () => {
  const service = (body: string | null, status: number) =>
    createPlainService(() => ({ status, headers: { "X-A": "b" }, body }));
  for (const status of [204, 304, 308]) {
    const response = await handleFetch(service(null, status), new Request("https://a.example/"));
    assert.equal(response.status, status);
    assert.equal(response.headers.get("X-A"), "b");
    assert.equal(await response.text(), "");
  }
  const response = await handleFetch(service("ä", 404), new Request("https://a.example/"));
  assert.equal(await response.text(), "ä");
});

test("each cookie is a header of its own", async () => {
  const cookies = ["a=1; Expires=Fri, 21 Aug 2026 10:00:00 GMT", "b=2"];
  const service = createPlainService(() => ({ ...jsonResponse(200, "{}"), cookies }));
  const response = await handleFetch(service, new Request("https://a.example"));
  assert.deepEqual(response.headers.getSetCookie(), cookies);
});
