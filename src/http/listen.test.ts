import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import { test } from "node:test";
import { LIMITS } from "../../test/fixtures/listen-limits.ts";
import { createPlainService } from "../../test/fixtures/plain-response.ts";
import { CLOSE, startListener } from "../../test/fixtures/listening-service.ts";
import { exchangeRaw, openConnection } from "../../test/fixtures/raw-connection.ts";
import { listen } from "./listen.ts";

test("pipelined requests get their responses in order", async (t) => {
  const { port, slowArrived, releaseAll } = await startListener(t);
  const connection = await openConnection(port);
  connection.send(
    `GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\n${CLOSE}`,
  );
  await slowArrived;
  releaseAll();
  const statuses = [...(await connection.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s);
  assert.deepEqual(statuses, ["200", "404", "200"]);
});

test("a connection is kept for the next request", async (t) => {
  const { port } = await startListener(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ports = new Set<number | undefined>();
  for (let round = 0; round < 5; round++) {
    await new Promise<void>((resolve, reject) => {
      get({ port, host: "127.0.0.1", path: "/fast", agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on("end", resolve);
      }).on("error", reject);
    });
  }
  assert.equal(ports.size, 1);
});

test("HTTP/1.0 and the absolute form are accepted", async (t) => {
  const { port } = await startListener(t);
  const old = await exchangeRaw(port, "GET /fast HTTP/1.0\r\n\r\n");
  assert.match(old, /^HTTP\/1\.1 200 OK\r\n/);
  const absolute = await exchangeRaw(port, `GET http://evil.example/fast HTTP/1.1\r\n${CLOSE}`);
  assert.match(absolute, /^HTTP\/1\.1 200 OK\r\n/);
});

test("OPTIONS *, upgrades and unknown expectations are harmless", async (t) => {
  const { port, isAlive } = await startListener(t);
  assert.match(await exchangeRaw(port, `OPTIONS * HTTP/1.1\r\n${CLOSE}`), /^HTTP\/1\.1 404 /);
  for (const header of [
    "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x",
    "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
    "Expect: tea\r\nConnection: close",
  ]) {
    const response = await exchangeRaw(port, `GET /fast HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
    assert.match(response, /^HTTP\/1\.1 200 OK\r\n/, header);
    assert.match(response, /\r\nX-Request-Id: the-id\r\n/, header);
  }
  await isAlive();
});

test("HEAD has the length of the body and no body", async (t) => {
  const { port } = await startListener(t);
  const response = await exchangeRaw(port, `HEAD /fast HTTP/1.1\r\n${CLOSE}`);
  assert.match(response, /\r\nContent-Length: 11\r\n/);
  assert.ok(response.endsWith("\r\n\r\n"));
});

test("a stream is sent whole, and a client that disconnects does not disturb others", async (t) => {
  const { port, isAlive } = await startListener(t);
  const response = await fetch(`http://127.0.0.1:${port}/stream`);
  assert.equal(await response.text(), "first second");
  const connection = await openConnection(port);
  connection.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  connection.socket.resetAndDestroy();
  await connection.closed;
  await isAlive();
});

test("a response that cannot be written is an unexpected error, and the server goes on", async (t) => {
  const { port, isAlive, cancelled } = await startListener(t);
  for (const path of ["/unwritable", "/unwritable-later", "/unwritable-live"]) {
    const response = await exchangeRaw(port, `GET ${path} HTTP/1.1\r\n${CLOSE}`);
    assert.match(response, /^HTTP\/1\.1 500 Internal Server Error\r\n/);
    assert.doesNotMatch(response, /X-Before/i);
    assert.ok(response.endsWith('{"kind":"unexpected"}'), response);
    await isAlive();
  }
  await cancelled;
});

test("a connection that breaks in the middle of a body does not disturb others", async (t) => {
  const { port, isAlive } = await startListener(t);
  const connection = await openConnection(port);
  connection.send(
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nabc",
  );
  connection.socket.resetAndDestroy();
  await connection.closed;
  await isAlive();
});

test("a client that closed only its side still gets the response", async (t) => {
  const { port, slowArrived, releaseAll } = await startListener(t);
  const connection = await openConnection(port);
  connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  connection.socket.end();
  await slowArrived;
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("a stop finishes running requests, closes idle connections and accepts no new ones", async (t) => {
  const { port, stop, slowArrived, releaseAll } = await startListener(t);
  const running = await openConnection(port);
  running.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await slowArrived;
  const idle = await openConnection(port);
  idle.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
  await idle.until(/"ok":true/);
  const silent = await openConnection(port);

  let hasStopped = false;
  const stopping = stop().then(() => (hasStopped = true));
  await Promise.all([idle.closed, silent.closed]);
  await assert.rejects(openConnection(port), { code: "ECONNREFUSED" });
  assert.equal(hasStopped, false);

  releaseAll();
  assert.match(await running.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
  await stopping;
});

test("a stop closes connections whose requests do not end in time", async (t) => {
  const { port, stop, slowArrived } = await startListener(t, { stopSeconds: 1 });
  const hanging = await openConnection(port);
  hanging.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  const half = await openConnection(port);
  half.send("GET /fast HTTP/1.1\r\nHo");
  await slowArrived;
  const startedAt = performance.now();
  await stop();
  const elapsed = performance.now() - startedAt;
  assert.ok(elapsed > 900 && elapsed < 2000, String(elapsed));
  await Promise.all([hanging.closed, half.closed]);
});

test("a port in use is an error that names the port", async (t) => {
  const { port } = await startListener(t);
  const service = createPlainService(() => ({ status: 200, headers: {}, body: null }));
  await assert.rejects(listen(service, { host: "127.0.0.1", port, limits: LIMITS }), {
    code: "EADDRINUSE",
    port,
  });
});
