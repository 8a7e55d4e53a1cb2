import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CLOSE, LARGE, startListener } from "../../test/fixtures/listening-service.ts";
import {
  exchangeRaw,
  exchangeWhenAccepted,
  openConnection,
} from "../../test/fixtures/raw-connection.ts";

test("slow headers and slow bodies are malformed requests, and silence gets no response", async (t) => {
  const limits = { headerTimeoutSeconds: 1, requestTimeoutSeconds: 1 };
  const { port, isAlive } = await startListener(t, limits);
  const [silence, ...responses] = await Promise.all([
    exchangeRaw(port, ""),
    exchangeRaw(port, "GET /fast HTTP/1.1\r\nHost: a\r\nX: never"),
    exchangeRaw(
      port,
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nabc",
    ),
  ]);
  for (const response of responses) {
    assert.match(response, /^HTTP\/1\.1 400 Bad Request\r\n[^]*\{"kind":"malformed-request"\}$/);
  }
  assert.equal(silence, "");
  await isAlive();
});

test("a body over the limit is 413, with a length and in chunks", async (t) => {
  const { port, isAlive } = await startListener(t);
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

test("connections over the limit are refused, and others are accepted when one ends", async (t) => {
  const { port, isAlive } = await startListener(t, { maxConnections: 2 });
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

test("silent connections over the limit are refused, and others get in when the rest time out", async (t) => {
  const { port, isAlive } = await startListener(t, { maxConnections: 50, headerTimeoutSeconds: 1 });
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
  const { port, isAlive, cancelled } = await startListener(t, { responseTimeoutSeconds: 1 });
  const requests = [["/large"], ["/endless"], ["/fast", "/large"], ["/fast", "/endless"]];
  await Promise.all(
    requests.map(async (paths) => {
      const socket = connect(port, "127.0.0.1");
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.on("error", () => {});
      socket.pause();
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
      await sleep(2500);
      // What the buffers of the system hold still comes; the rest was never sent.
      let received = 0;
      socket.on("data", (bytes: Buffer) => (received += bytes.length)).resume();
      await closed;
      assert.ok(received < LARGE.length, `${paths.join(", ")}: ${received}`);
    }),
  );
  await cancelled;
  await isAlive();
});

test("a connection that got an error is closed, also when its client keeps it open", async (t) => {
  const { port, isAlive } = await startListener(t, {
    headerTimeoutSeconds: 1,
    requestTimeoutSeconds: 1,
    responseTimeoutSeconds: 1,
  });
  const get = "GET /fast HTTP/1.1\r\nHost: a\r\n";
  const requests = [
    { begin: "no HTTP\r\n\r\n", error: "400", rest: "" },
    { begin: `${get}\r\n${get}X: `, error: "400", rest: "y\r\n\r\n" },
    {
      begin: `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n`,
      error: "400",
      rest: "",
    },
  ];
  await Promise.all(
    requests.map(async ({ begin, error, rest }) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      t.after(() => socket.destroy());
      let isReset = false;
      let received = "";
      socket.on("error", () => (isReset = true));
      socket.on("data", (bytes: Buffer) => (received += bytes.toString()));
      socket.write(begin);
      await once(socket, "end");
      assert.match(received, new RegExp(`HTTP/1.1 ${error} `));
      socket.write(rest);
      await sleep(2000);
      // Bytes for a connection whose other end is gone reset it, and the next write fails.
      for (let count = 0; count < 2; count++) {
        socket.write("x");
        await sleep(100);
      }
      assert.ok(isReset, begin);
    }),
  );
  await isAlive();
});

test("a client that reads slowly gets its whole response", async (t) => {
  const { port } = await startListener(t, { responseTimeoutSeconds: 3 });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  let received = 0;
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    received += bytes.length;
    // Some fifty pauses, each far shorter than the timeout, together longer.
    if (received % (1024 * 1024) < bytes.length) await sleep(80);
  }
  assert.ok(received > LARGE.length, String(received));
});

test("a handler may take longer than a client may take to read", async (t) => {
  const { port, slowArrived, releaseAll } = await startListener(t, { responseTimeoutSeconds: 1 });
  const connection = await openConnection(port);
  connection.send(`GET /slow HTTP/1.1\r\n${CLOSE}`);
  await slowArrived;
  await sleep(1500);
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("an idle connection is closed after the time that it is kept", async (t) => {
  const { port } = await startListener(t, { keepAliveSeconds: 1, responseTimeoutSeconds: 3 });
  const connection = await openConnection(port);
  const startedAt = performance.now();
  connection.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n/);
  assert.ok(performance.now() - startedAt >= 900);
});

test("one network has only its share of the connections, until it closes some", async (t) => {
  const limits = { maxConnectionsPerNetwork: 3 };
  const { port } = await startListener(t, limits, () => [{ key: "network", share: 1 }]);
  await expectFull(port, 3);
});

test("many networks of one site have only the site's share of the connections", async (t) => {
  let network = 0;
  const { port } = await startListener(t, { maxConnectionsPerNetwork: 1 }, () => [
    { key: "site", share: 2 },
    { key: `network ${network++}`, share: 1 },
  ]);
  await expectFull(port, 2);
});

/** Opens `count` connections: there is room for one more only when one of them is closed. */
async function expectFull(port: number, count: number): Promise<void> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)));
  const ask = `GET /fast HTTP/1.1\r\n${CLOSE}`;
  assert.equal(await exchangeRaw(port, ask).catch(() => ""), "");
  connections[0]?.socket.destroy();
  await connections[0]?.closed;
  await exchangeWhenAccepted(port, ask);
  for (const { socket } of connections) socket.destroy();
}

test("connections that no network counts are not limited", async (t) => {
  const { port } = await startListener(t, { maxConnectionsPerNetwork: 1 }, () => []);
  const connections = await Promise.all(Array.from({ length: 3 }, () => openConnection(port)));
  const ask = `GET /fast HTTP/1.1\r\n${CLOSE}`;
  assert.match(await exchangeRaw(port, ask), /^HTTP\/1\.1 200 OK\r\n/);
  for (const { socket } of connections) socket.destroy();
});
