import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { serveOnLoopback } from "../../test/fixtures/loopback-server.ts";
import { createPlainService } from "../../test/fixtures/plain-response.ts";
import { handleFetch } from "./fetch.ts";
import { createNodeHandler } from "./node-handler.ts";
import { jsonResponse } from "./response.ts";

test("a text in parts arrives as one, with the length of its bytes", async (t) => {
  const parts = ["", "ä", "x".repeat(40_000), "😀".repeat(30_000), "", "end"];
  const text = parts.join("");
  const service = createPlainService(() => jsonResponse(200, parts));
  const address = await serveOnLoopback(t, createNodeHandler(service));
  for (const response of [
    await fetch(address),
    await handleFetch(service, new Request("https://a.example/")),
  ]) {
    assert.equal(response.headers.get("Content-Length"), String(Buffer.byteLength(text)));
    assert.equal(await response.text(), text);
  }
});

test("a client that goes away before its text in parts is written disturbs no other", async (t) => {
  const gone = Promise.withResolvers<void>();
  const service = createPlainService(async ({ target }) => {
    if (target === "/slow") await gone.promise;
    return jsonResponse(200, ["x".repeat(1_000_000), "y".repeat(1_000_000)]);
  });
  const handle = createNodeHandler(service);
  const address = await serveOnLoopback(t, (incoming, outgoing) => {
    if (incoming.url === "/slow") outgoing.once("close", () => gone.resolve());
    handle(incoming, outgoing);
  });
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", () => socket.destroy());
  await once(socket, "close");
  await gone.promise;
  const response = await fetch(address);
  assert.equal((await response.text()).length, 2_000_000);
});
