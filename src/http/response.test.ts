import assert from "node:assert/strict";
import { test } from "node:test";
import { serveOnLoopback } from "../../test/fixtures/loopback-server.ts";
import type { HttpService } from "./create-http-service.ts";
import { handleFetch } from "./fetch.ts";
import { createNodeHandler } from "./node-handler.ts";
import { jsonResponse } from "./response.ts";

test("a text in parts arrives as one, with the length of its bytes", async (t) => {
  const parts = ["", "ä", "x".repeat(40_000), "😀".repeat(30_000), "", "end"];
  const text = parts.join("");
  const service: HttpService = {
    respond: () => jsonResponse(200, parts),
    protocolErrorResponse: () => jsonResponse(400, ""),
  };
  const address = await serveOnLoopback(t, createNodeHandler(service));
  for (const response of [
    await fetch(address),
    await handleFetch(service, new Request("https://a.example/")),
  ]) {
    assert.equal(response.headers.get("Content-Length"), String(Buffer.byteLength(text)));
    assert.equal(await response.text(), text);
  }
});
