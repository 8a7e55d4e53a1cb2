import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { createPlainService } from "../../test/fixtures/plain-response.ts";
import { exchangeRaw } from "../../test/fixtures/raw-connection.ts";
import { createNodeHandler } from "./node-handler.ts";
import type { HttpResponse } from "./response.ts";

/** Responds with the size of the body, which it begins to read after `readsAfterMs`. */
async function serve(
  t: TestContext,
  { readsAfterMs = 0, stopsAfter = Infinity, cookies = [] as readonly string[] } = {},
) {
  const failures: unknown[] = [];
  let begun = 0;
  const respond = (status: number, body: string): HttpResponse => ({
    status,
    headers: { "Content-Length": String(body.length) },
    cookies,
    body,
  });
  const server = createServer(
    createNodeHandler(
      createPlainService(async (request) => {
        await sleep(readsAfterMs);
        let size = 0;
        try {
          for await (const chunk of request.body()) {
            if (size === 0) begun++;
            size += chunk.length;
            if (size > stopsAfter) return respond(413, "");
          }
        } catch (error) {
          failures.push(error);
        }
        return respond(200, String(size));
      }),
    ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (body: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
    return `${response.status} ${await response.text()}`;
  };
  return { port, ask, failures, begun: () => begun };
}

test("each cookie is a header of its own", async (t) => {
  for (const cookies of [["a=1; Expires=Fri, 21 Aug 2026 10:00:00 GMT", "b=2"], ["a=1"], []]) {
    const { port } = await serve(t, { cookies });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.deepEqual(response.headers.getSetCookie(), cookies);
    assert.equal(response.headers.has("set-cookie"), cookies.length > 0);
  }
});

const LARGE = 300_000;

test("a body is read whole, whether it arrives before or after the reader starts", async (t) => {
  for (const readsAfterMs of [0, 50]) {
    const { ask } = await serve(t, { readsAfterMs });
    assert.deepEqual(await Promise.all([ask(""), ask("x"), ask("x".repeat(LARGE))]), [
      "200 0",
      "200 1",
      `200 ${LARGE}`,
    ]);
  }
});

test("a body in pieces is read whole, with a length and in chunks", async (t) => {
  const { port } = await serve(t);
  for (const [header, pieces] of [
    ["Content-Length: 6", ["a", "bc", "def"]],
    ["Transfer-Encoding: chunked", ["2\r\nab\r", "\n4\r\ncd", "ef\r\n0\r\n\r\n"]],
  ] as const) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`);
    for (const piece of pieces) {
      await sleep(10);
      socket.write(piece);
    }
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    assert.match(text, /^HTTP\/1\.1 200 .*\r\n\r\n6$/s);
  }
});

test("a handler that stops reading still responds, and the connection stays open", async (t) => {
  const { ask } = await serve(t, { stopsAfter: 10 });
  assert.equal(await ask("x".repeat(LARGE)), "413 ");
  assert.equal(await ask("x"), "200 1");
});

test("an upload that breaks off fails for its reader and for no other request", async (t) => {
  const { port, ask, failures, begun } = await serve(t);
  for (const [before, end] of (["destroy", "resetAndDestroy"] as const).entries()) {
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nxxx");
    while (begun() === before) await sleep(5);
    socket[end]();
  }
  while (failures.length < 2) await sleep(5);
  assert.ok(failures.every((failure) => failure instanceof Error));
  assert.equal(await ask("still here"), "200 10");
});

test("a request with two hosts is refused, also with the same one", async (t) => {
  const { port } = await serve(t);
  for (const version of ["1.0", "1.1"]) {
    const text = await exchangeRaw(port, `GET / HTTP/${version}\r\nHost: a\r\nhost: a\r\n\r\n`);
    assert.match(text, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s);
  }
});

test("a service that fails gets its own error sent, and the server goes on", async (t) => {
  const service = {
    ...createPlainService(async () => ({ status: 200, headers: {}, body: "" })),
    respond: () => Promise.reject(new Error("The upstream is gone")),
  };
  const server = createServer(createNodeHandler(service)).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (let request = 0; request < 2; request++) {
    const { status } = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(status, 400);
  }
});

test("a response that comes after one of the server around the service is given up", async (t) => {
  const late = Promise.withResolvers<HttpResponse>();
  const cancelled = Promise.withResolvers<void>();
  const handle = createNodeHandler(createPlainService(() => late.promise));
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing);
    outgoing.writeHead(503).end("too late");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: "close" } });
  assert.equal(`${response.status} ${await response.text()}`, "503 too late");
  const body = new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() });
  late.resolve({ status: 200, headers: { "X-Late": "1" }, body });
  await cancelled.promise;
  // A rejection without a handler would fail the test now.
  await sleep(10);
});
