import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { exchangeRaw, openConnection } from "../../test/fixtures/raw-connection.ts";
import type { Route } from "../contract/route.ts";
import { jsonResponse, type HttpResponse } from "./response.ts";
import { createHttpService } from "./create-http-service.ts";
import { listen, type ListenLimits } from "./listen.ts";
import { readText } from "./read-body.ts";

const LIMITS: ListenLimits = {
  maxHeaderBytes: 16_384,
  headerTimeoutSeconds: 15,
  requestTimeoutSeconds: 30,
  responseTimeoutSeconds: 30,
  keepAliveSeconds: 65,
  maxConnections: 64,
  maxConnectionsPerNetwork: 8,
  stopSeconds: 10,
};

const route = (method: "GET" | "POST", path: string): Route => ({
  operationId: path,
  method,
  origin: "api",
  path,
  summary: path,
  responses: {},
});

/** `/fast` responds at once, `/slow` when released, `/echo` with its body, the others fail. */
async function serve(
  t: TestContext,
  changes: Partial<ListenLimits> = {},
  networkOf?: (address: string) => string | null,
) {
  let wasCancelled: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => (wasCancelled = resolve));
  const slow: ((response: HttpResponse) => void)[] = [];
  const arrivals: (() => void)[] = [];
  const slowArrived = new Promise<void>((resolve) => arrivals.push(resolve));
  const ok = () => jsonResponse(200, '{"ok":true}');
  const service = createHttpService(
    {
      fast: route("GET", "/fast"),
      slow: route("GET", "/slow"),
      echo: route("POST", "/echo"),
      unwritable: route("GET", "/unwritable"),
      unwritableLater: route("GET", "/unwritable-later"),
      stream: route("GET", "/stream"),
      large: route("GET", "/large"),
      endless: route("GET", "/endless"),
    },
    {
      fast: ok,
      slow: () =>
        new Promise<HttpResponse>((resolve) => {
          slow.push(resolve);
          for (const arrived of arrivals) arrived();
        }),
      echo: async (_input, context) => {
        const body = await readText(context, { mediaType: "text/plain", maxBytes: 1000 });
        return jsonResponse(body.kind === "text" ? 200 : 413, JSON.stringify(body));
      },
      unwritable: () => ({ status: 200, headers: { Location: "a\nb" }, body: null }),
      unwritableLater: async () => ({
        status: 200,
        headers: { Location: "a\u{1F600}b" },
        body: "",
      }),
      stream: () => ({
        status: 200,
        headers: {},
        body: new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(Buffer.from("first "));
            controller.enqueue(Buffer.from("second"));
            controller.close();
          },
        }),
      }),
      large: () => ({ status: 200, headers: {}, body: LARGE }),
      endless: () => ({
        status: 200,
        headers: {},
        body: new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => wasCancelled(),
        }),
      }),
    },
    {
      headers: {},
      createRequestId: () => "the-id",
      toErrorResponse: (error) => {
        const status = error.kind === "malformed-request" ? error.status : 404;
        return jsonResponse(error.kind === "unexpected" ? 500 : status, JSON.stringify(error));
      },
      readClientAddress: (socket) => socket ?? "",
    },
  );
  const listener = await listen(service, {
    host: "127.0.0.1",
    port: 0,
    limits: { ...LIMITS, ...changes },
    ...(networkOf !== undefined && { networkOf }),
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= listener.stop());
  const releaseAll = () => {
    for (const resolve of slow.splice(0)) resolve(ok());
  };
  t.after(async () => {
    releaseAll();
    await stop();
  });
  const isAlive = async () => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/fast`, {
      headers: { Connection: "close" },
    });
    assert.deepEqual(await response.json(), { ok: true });
  };
  return { port: listener.port, stop, isAlive, slowArrived, releaseAll, cancelled };
}

/** More than the buffers of the system take. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

const CLOSE = "Host: a\r\nConnection: close\r\n\r\n";

test("bytes that are not HTTP get a response in the service's envelope, and the server goes on", async (t) => {
  const { port, isAlive } = await serve(t);
  for (const bytes of [
    "\r\n\r\nnonsense\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "GET /fast HTTP/9.9\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
    "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    // Two lengths are how request smuggling begins.
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc",
    // RFC 9112 3.2: a request of HTTP/1.1 names its host.
    "GET /fast HTTP/1.1\r\n\r\n",
    "GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n",
  ]) {
    const response = await exchangeRaw(port, bytes);
    const label = `${JSON.stringify(bytes)}: ${response}`;
    assert.match(response, /^HTTP\/1\.1 400 Bad Request\r\n/, label);
    assert.match(response, /\r\nX-Request-Id: the-id\r\n/, label);
    assert.match(response, /\r\nConnection: close\r\n/, label);
    assert.ok(response.endsWith('\r\n\r\n{"kind":"malformed-request","status":400}'), label);
    await isAlive();
  }
});

test("a broken chunk ends the connection, and the server goes on", async (t) => {
  const { port, isAlive } = await serve(t);
  const response = await exchangeRaw(
    port,
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
  );
  assert.match(response, /^HTTP\/1\.1 4\d\d /);
  await isAlive();
});

test("headers over the limit are 431", async (t) => {
  const { port, isAlive } = await serve(t);
  const response = await exchangeRaw(
    port,
    `GET /fast HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17_000)}\r\n\r\n`,
  );
  assert.match(response, /^HTTP\/1\.1 431 /);
  assert.match(response, /"status":431/);
  await isAlive();
});

test("slow headers, silence and slow bodies are 408", async (t) => {
  const limits = { headerTimeoutSeconds: 1, requestTimeoutSeconds: 1 };
  const { port, isAlive } = await serve(t, limits);
  const responses = await Promise.all([
    exchangeRaw(port, "GET /fast HTTP/1.1\r\nHost: a\r\nX: never"),
    exchangeRaw(port, ""),
    exchangeRaw(port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"),
  ]);
  for (const response of responses.slice(0, 2)) {
    assert.match(response, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(response, /"status":408/);
  }
  assert.match(responses[2] ?? "", /^HTTP\/1\.1 4(?:08|13) /);
  await isAlive();
});

test("pipelined requests get their responses in order", async (t) => {
  const { port, slowArrived, releaseAll } = await serve(t);
  const connection = await openConnection(port);
  connection.send(
    `GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\n${CLOSE}`,
  );
  await slowArrived;
  releaseAll();
  const statuses = [...(await connection.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s);
  assert.deepEqual(statuses, ["200", "404", "200"]);
});

test("bytes that are not HTTP do not cut into the response before them", async (t) => {
  const { port, slowArrived, releaseAll, isAlive } = await serve(t);
  const connection = await openConnection(port);
  connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n");
  await slowArrived;
  await isAlive();
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("a response that was sent at once is not followed by one to broken bytes", async (t) => {
  const { port } = await serve(t);
  const response = await exchangeRaw(port, "GET /fast HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n");
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("every request before bytes that are not HTTP gets its response", async (t) => {
  const { port, slowArrived, releaseAll } = await serve(t);
  const connection = await openConnection(port);
  const slow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
  connection.send(`${slow}GET /missing HTTP/1.1\r\nHost: a\r\n\r\n${slow}nonsense\r\n\r\n`);
  await slowArrived;
  releaseAll();
  const statuses = [...(await connection.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s);
  assert.deepEqual(statuses, ["200", "404", "200"]);
});

test("a body that breaks after a whole request does not cut into the response before it", async (t) => {
  const { port, slowArrived, releaseAll } = await serve(t);
  const connection = await openConnection(port);
  connection.send(
    "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
  );
  await slowArrived;
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}/);
});

test("a connection is kept for the next request", async (t) => {
  const { port } = await serve(t);
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
  const { port } = await serve(t);
  const old = await exchangeRaw(port, "GET /fast HTTP/1.0\r\n\r\n");
  assert.match(old, /^HTTP\/1\.1 200 OK\r\n/);
  const absolute = await exchangeRaw(port, `GET http://evil.example/fast HTTP/1.1\r\n${CLOSE}`);
  assert.match(absolute, /^HTTP\/1\.1 200 OK\r\n/);
});

test("OPTIONS *, CONNECT, upgrades and unknown expectations are harmless", async (t) => {
  const { port, isAlive } = await serve(t);
  assert.match(await exchangeRaw(port, `OPTIONS * HTTP/1.1\r\n${CLOSE}`), /^HTTP\/1\.1 404 /);
  assert.equal(await exchangeRaw(port, `CONNECT a:443 HTTP/1.1\r\n${CLOSE}`), "");
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
  const { port } = await serve(t);
  const response = await exchangeRaw(port, `HEAD /fast HTTP/1.1\r\n${CLOSE}`);
  assert.match(response, /\r\nContent-Length: 11\r\n/);
  assert.ok(response.endsWith("\r\n\r\n"));
});

test("a stream is sent whole, and a client that disconnects does not disturb others", async (t) => {
  const { port, isAlive } = await serve(t);
  const response = await fetch(`http://127.0.0.1:${port}/stream`);
  assert.equal(await response.text(), "first second");
  const connection = await openConnection(port);
  connection.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  connection.socket.resetAndDestroy();
  await connection.closed;
  await isAlive();
});

test("a response that cannot be written is an unexpected error, and the server goes on", async (t) => {
  const { port, isAlive } = await serve(t);
  for (const path of ["/unwritable", "/unwritable-later"]) {
    const response = await exchangeRaw(port, `GET ${path} HTTP/1.1\r\n${CLOSE}`);
    assert.match(response, /^HTTP\/1\.1 500 /);
    assert.ok(response.endsWith('{"kind":"unexpected"}'), response);
    await isAlive();
  }
});

test("a body over the limit is 413, with a length and in chunks", async (t) => {
  const { port, isAlive } = await serve(t);
  const head =
    "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n";
  const chunk = `3e8\r\n${"a".repeat(1000)}\r\n`;
  for (const request of [
    `${head}Content-Length: 5000\r\n\r\n${"a".repeat(5000)}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}0\r\n\r\n`,
  ]) {
    const response = await exchangeRaw(port, request);
    assert.match(response, /^HTTP\/1\.1 413 /, response);
    assert.ok(response.endsWith('{"kind":"too-large"}'), response);
  }
  await isAlive();
});

test("a connection that breaks in the middle of a body does not disturb others", async (t) => {
  const { port, isAlive } = await serve(t);
  const connection = await openConnection(port);
  connection.send(
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nabc",
  );
  connection.socket.resetAndDestroy();
  await connection.closed;
  await isAlive();
});

test("a client that closed only its side still gets the response", async (t) => {
  const { port, slowArrived, releaseAll } = await serve(t);
  const connection = await openConnection(port);
  connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  connection.socket.end();
  await slowArrived;
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("connections over the limit are refused, and others are accepted when one ends", async (t) => {
  const { port, isAlive } = await serve(t, { maxConnections: 2 });
  const kept = await Promise.all([openConnection(port), openConnection(port)]);
  for (const connection of kept) {
    connection.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
    await connection.until(/"ok":true/);
  }
  assert.equal(await exchangeRaw(port, `GET /fast HTTP/1.1\r\n${CLOSE}`), "");
  for (const connection of kept) {
    connection.socket.end();
    await connection.closed;
  }
  await isAlive();
});

test("a stop finishes running requests, closes idle connections and accepts no new ones", async (t) => {
  const { port, stop, slowArrived, releaseAll } = await serve(t);
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
  const { port, stop, slowArrived } = await serve(t, { stopSeconds: 1 });
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
  const { port } = await serve(t);
  const empty = { status: 200, headers: {}, body: null };
  const service = { respond: async () => empty, protocolErrorResponse: () => empty };
  await assert.rejects(listen(service, { host: "127.0.0.1", port, limits: LIMITS }), {
    code: "EADDRINUSE",
    port,
  });
});

test("silent connections over the limit are refused, and others get in when the rest time out", async (t) => {
  const { port, isAlive } = await serve(t, { maxConnections: 50, headerTimeoutSeconds: 1 });
  const sockets = Array.from({ length: 200 }, () =>
    connect(port, "127.0.0.1").on("error", () => {}),
  );
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const open = () => sockets.filter((socket) => !socket.closed).length;
  for (const socket of sockets) socket.resume();
  while (open() > 50) await sleep(5);
  assert.equal(await exchangeRaw(port, `GET /fast HTTP/1.1\r\n${CLOSE}`), "");
  assert.equal(open(), 50);
  while (open() > 0) await sleep(50);
  await isAlive();
});

test("a connection whose client does not read its response is closed, and the source is cancelled", async (t) => {
  const { port, isAlive, cancelled } = await serve(t, { responseTimeoutSeconds: 1 });
  for (const path of ["/large", "/endless"]) {
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await sleep(2500);
    // What the buffers of the system hold still comes; the rest was never sent.
    let received = 0;
    socket.on("data", (bytes: Buffer) => (received += bytes.length)).resume();
    await closed;
    assert.ok(received < LARGE.length, `${path}: ${received}`);
  }
  await cancelled;
  await isAlive();
});

test("a client that reads slowly gets its whole response", async (t) => {
  const { port } = await serve(t, { responseTimeoutSeconds: 1 });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  let received = 0;
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    received += bytes.length;
    // Some fifty pauses, each shorter than the timeout, together longer.
    if (received % (1024 * 1024) < bytes.length) await sleep(40);
  }
  assert.ok(received > LARGE.length, String(received));
});

test("a handler may take longer than a client may take to read", async (t) => {
  const { port, slowArrived, releaseAll } = await serve(t, { responseTimeoutSeconds: 1 });
  const connection = await openConnection(port);
  connection.send(`GET /slow HTTP/1.1\r\n${CLOSE}`);
  await slowArrived;
  await sleep(1500);
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("an idle connection is closed after the time that it is kept", async (t) => {
  const { port } = await serve(t, { keepAliveSeconds: 1, responseTimeoutSeconds: 3 });
  const connection = await openConnection(port);
  const startedAt = performance.now();
  connection.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n/);
  assert.ok(performance.now() - startedAt >= 900);
});

test("one network has only its share of the connections, until it closes some", async (t) => {
  const limits = { maxConnectionsPerNetwork: 3 };
  const { port } = await serve(t, limits, () => "network");
  const connections = await Promise.all(Array.from({ length: 3 }, () => openConnection(port)));
  const ask = `GET /fast HTTP/1.1\r\n${CLOSE}`;
  assert.equal(await exchangeRaw(port, ask).catch(() => ""), "");
  connections[0]?.socket.destroy();
  await connections[0]?.closed;
  await sleep(50);
  assert.match(await exchangeRaw(port, ask), /^HTTP\/1\.1 200 OK\r\n/);
  for (const { socket } of connections) socket.destroy();
});

test("connections that no network counts are not limited", async (t) => {
  const { port } = await serve(t, { maxConnectionsPerNetwork: 1 }, () => null);
  const connections = await Promise.all(Array.from({ length: 3 }, () => openConnection(port)));
  const ask = `GET /fast HTTP/1.1\r\n${CLOSE}`;
  assert.match(await exchangeRaw(port, ask), /^HTTP\/1\.1 200 OK\r\n/);
  for (const { socket } of connections) socket.destroy();
});
