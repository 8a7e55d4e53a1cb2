import assert from "node:assert/strict";
import { test } from "node:test";
import { handleFetch } from "../../src/http/fetch.ts";
import { createDocsService } from "./docs-service.ts";

const SITE = {
  files: [{ path: "index.html", mediaType: "text/html; charset=utf-8", body: "<p>docs</p>" }],
  headers: {},
};

test("requests that come while the docs are rendered wait for them, and do not render them again", async () => {
  let renderings = 0;
  const service = createDocsService(async () => {
    renderings++;
    await new Promise(setImmediate);
    return SITE;
  });
  const ask = () => handleFetch(service, new Request("http://localhost/"));
  const responses = await Promise.all(Array.from({ length: 20 }, ask));
  for (const response of [...responses, await ask()]) {
    assert.equal(await response.text(), "<p>docs</p>");
  }
  assert.equal(renderings, 1);
});

test("docs that could not be rendered are rendered for the next request", async () => {
  let renderings = 0;
  const service = createDocsService(async () => {
    if (renderings++ === 0) throw new Error("A page is half written");
    return SITE;
  });
  const ask = () => handleFetch(service, new Request("http://localhost/"));
  await assert.rejects(ask(), /half written/);
  assert.equal((await ask()).status, 200);
});
