import assert from "node:assert/strict";
import { test } from "node:test";
import { startListener } from "../../test/fixtures/listening-service.ts";
import { exchangeRaw, openConnection } from "../../test/fixtures/raw-connection.ts";

const LONG = "a".repeat(17_000);

test("bytes that are not HTTP get a response in the service's envelope, and the server goes on", async (t) => {
  const { port, isAlive } = await startListener(t);
  for (const bytes of [
    "\r\n\r\nnonsense\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "GET /fast HTTP/9.9\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
    "GET /fast HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
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
    assert.match(response, /\r\n\r\n\{"kind":"(?:malformed-request|unroutable)"\}$/, label);
    await isAlive();
  }
});

test("a broken chunk ends the connection, and the server goes on", async (t) => {
  const { port, isAlive } = await startListener(t);
  const response = await exchangeRaw(
    port,
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
  );
  assert.match(response, /^HTTP\/1\.1 4\d\d /);
  await isAlive();
});

test("a head over the limit is a malformed request", async (t) => {
  const { port, isAlive } = await startListener(t);
  for (const head of [`GET /fast HTTP/1.1\r\nX: ${LONG}`, `GET /${LONG} HTTP/1.1`]) {
    const response = await exchangeRaw(port, `${head}\r\nHost: a\r\n\r\n`);
    assert.match(response, /^HTTP\/1\.1 400 [^]*\{"kind":"malformed-request"\}$/);
  }
  await isAlive();
});

test("a method or a target that HTTP does not have is told apart, and ends the connection", async (t) => {
  const { port, isAlive } = await startListener(t);
  for (const line of [
    "FOO /fast",
    "get /fast",
    "GET /a\0b",
    "GET /a\x7fb",
    "CONNECT a:443",
    "CONNECT /fast",
  ]) {
    const response = await exchangeRaw(port, `${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
    assert.match(
      response,
      /^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n\r\n\{"kind":"unroutable"\}$/,
      line,
    );
    await isAlive();
  }
});

test("a CONNECT after a request does not cut into its response", async (t) => {
  const { port, slowArrived, releaseAll, isAlive } = await startListener(t);
  const connection = await openConnection(port);
  connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n");
  await slowArrived;
  await isAlive();
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("bytes that are not HTTP do not cut into the response before them", async (t) => {
  const { port, slowArrived, releaseAll, isAlive } = await startListener(t);
  const connection = await openConnection(port);
  connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n");
  await slowArrived;
  await isAlive();
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("a response that was sent at once is not followed by one to broken bytes", async (t) => {
  const { port } = await startListener(t);
  const response = await exchangeRaw(port, "GET /fast HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n");
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/);
});

test("every request before bytes that are not HTTP gets its response", async (t) => {
  const { port, slowArrived, releaseAll } = await startListener(t);
  const connection = await openConnection(port);
  const slow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
  connection.send(`${slow}GET /missing HTTP/1.1\r\nHost: a\r\n\r\n${slow}nonsense\r\n\r\n`);
  await slowArrived;
  releaseAll();
  const statuses = [...(await connection.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s);
  assert.deepEqual(statuses, ["200", "404", "200"]);
});

test("a body that breaks after a whole request does not cut into the response before it", async (t) => {
  const { port, slowArrived, releaseAll } = await startListener(t);
  const connection = await openConnection(port);
  connection.send(
    "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
  );
  await slowArrived;
  releaseAll();
  assert.match(await connection.closed, /^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}/);
});
