import assert from "node:assert/strict";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  exchangeRaw,
  exchangeWhenAccepted,
  openConnection,
} from "../../test/fixtures/raw-connection.ts";
import type { Route } from "../contract/route.ts";
import { createHttpService } from "./create-http-service.ts";
import { createEventStream, encodeEvent, EVENT_STREAM_HEADERS } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";
import { handleFetch } from "./fetch.ts";
import { listen, type ListenLimits, type ListenOptions } from "./listen.ts";
import { jsonResponse, type HttpResponse } from "./response.ts";
import { LIMITS } from "../../test/fixtures/listen-limits.ts";

const event = (number: number, length = 0) => encodeEvent("n", `${number}${"x".repeat(length)}`);
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

test("of the events that a client has not taken only the newest is kept", async () => {
  const stream = createEventStream(() => {});
  for (const number of [1, 2, 3]) stream.send("n", event(number));
  stream.beat();
  const reader = stream.body.getReader();
  assert.equal(textOf((await reader.read()).value), "event: n\ndata: 3\n\n");
  const next = reader.read();
  await sleep(0);
  stream.send("n", event(4));
  stream.send("n", event(5));
  assert.equal(textOf((await next).value), "event: n\ndata: 4\n\n");
  assert.equal(textOf((await reader.read()).value), "event: n\ndata: 5\n\n");
  stream.beat();
  stream.beat();
  assert.equal(textOf((await reader.read()).value), ":\n\n");
  const last = reader.read();
  stream.end();
  stream.end();
  stream.send("n", event(6));
  assert.equal((await last).done, true);
});

test("a client that goes away is told of once, and an end is not", async () => {
  let cancels = 0;
  const stream = createEventStream(() => cancels++);
  await stream.body.cancel();
  stream.send("n", event(1));
  stream.end();
  assert.equal(cancels, 1);
  createEventStream(() => cancels++).end();
  assert.equal(cancels, 1);
});

test("a stream outlives the timeouts of requests, responses and idle connections", async (t) => {
  const limits = { requestTimeoutSeconds: 1, responseTimeoutSeconds: 1, keepAliveSeconds: 1 };
  const { port, streams } = await serve(t, { ...limits, headerTimeoutSeconds: 1 });
  const connection = await openConnection(port);
  connection.send(STREAM);
  await connection.until(/data: 0\n\n/);
  await sleep(2600);
  streams[0]?.send("n", event(1));
  await connection.until(/data: 1\n\n/);
  streams[0]?.end();
  assert.match(await connection.closed, /\r\nConnection: close\r\n[^]*data: 1\n\n\r\n0\r\n\r\n$/);
});

test("a stream whose client does not read on is ended, and keeps no more than one event", async (t) => {
  const { port, streams, ended } = await serve(t, { responseTimeoutSeconds: 1 });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(STREAM);
  while (streams.length === 0) await sleep(5);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  // 300 MB, far more than the buffers of the system take.
  for (let number = 0; number < 3000; number++) {
    streams[0]?.send("n", event(number, 100_000));
    if (number % 100 === 0) await sleep(1);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(most < 100_000_000, `${most} bytes were kept`);
  await ended[0];
  socket.destroy();
});

test("a client that closes its connection ends its stream at once", async (t) => {
  const { port, streams, ended } = await serve(t);
  for (const [index, close] of ["destroy", "resetAndDestroy", "end"].entries()) {
    const connection = await openConnection(port);
    connection.send(STREAM);
    await connection.until(/data: 0/);
    assert.equal(streams.length, index + 1);
    connection.socket[close as "end"]();
    await ended[index];
  }
});

test("a client that is gone before its stream opens ends it too", async (t) => {
  const { port, streams, ended, lateArrived, release } = await serve(t);
  const connection = await openConnection(port);
  connection.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n");
  await lateArrived;
  connection.socket.resetAndDestroy();
  await sleep(50);
  assert.equal(streams.length, 0);
  release();
  while (streams.length === 0) await sleep(5);
  await ended[0];
});

test("streams leave the connections of the listener and of their network to requests", async (t) => {
  const limits = { maxConnections: 2, maxConnectionsPerNetwork: 2 };
  const { port, streams } = await serve(t, limits, () => [{ key: "network", share: 1 }]);
  const open = [];
  for (let count = 1; count <= 5; count++) {
    const connection = await openConnection(port);
    connection.send(STREAM);
    await connection.until(/data: 0/);
    open.push(connection);
  }
  assert.equal(streams.length, 5);
  assert.match(await exchangeRaw(port, FAST), /^HTTP\/1\.1 200 OK\r\n/);
  const waiting = await Promise.all([openConnection(port), openConnection(port)]);
  assert.equal(await exchangeRaw(port, FAST).catch(() => ""), "", "a third connection is refused");
  for (const stream of streams) stream.end();
  for (const { closed } of open) await closed;
  assert.equal(await exchangeRaw(port, FAST).catch(() => ""), "", "and so it stays");
  for (const { socket } of waiting) socket.destroy();
  await exchangeWhenAccepted(port, FAST);
});

test("HEAD opens no stream, and a stream is a Response too", async (t) => {
  const { service, streams, ended } = await serve(t);
  const head = await handleFetch(service, new Request("http://a/stream", { method: "HEAD" }));
  assert.equal(head.body, null);
  await ended[0];
  const response = await handleFetch(service, new Request("http://a/stream"));
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const reader = response.body?.getReader();
  assert.match(textOf((await reader?.read())?.value), /data: 0/);
  streams[1]?.end();
  assert.equal((await reader?.read())?.done, true);
});

const STREAM = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n";
const FAST = "GET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const STOP_QUICKLY = { ...LIMITS, maxConnectionsPerNetwork: 64, stopSeconds: 1 };

async function serve(
  t: TestContext,
  changes: Partial<ListenLimits> = {},
  networksOf?: ListenOptions["networksOf"],
) {
  const streams: EventStream[] = [];
  /** Each promise resolves when the client of its stream has gone. */
  const ended: Promise<void>[] = [];
  const route = (path: string): Route => ({
    operationId: path,
    method: "GET",
    origin: "api",
    path,
    summary: path,
    responses: {},
  });
  const openStream = (): HttpResponse => {
    const gone = Promise.withResolvers<void>();
    const stream = createEventStream(gone.resolve);
    streams.push(stream);
    ended.push(gone.promise);
    stream.send("n", event(0));
    return { status: 200, headers: EVENT_STREAM_HEADERS, body: stream.body, isLive: true };
  };
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const service = createHttpService(
    { stream: route("/stream"), late: route("/late"), fast: route("/fast") },
    {
      stream: openStream,
      late: async () => {
        arrived.resolve();
        await released.promise;
        return openStream();
      },
      fast: () => jsonResponse(200, "{}"),
    },
    {
      headers: {},
      createRequestId: () => "the-id",
      toErrorResponse: ({ kind }) => jsonResponse(400, JSON.stringify(kind)),
      readClientAddress: (socket) => socket ?? "",
    },
  );
  const listener = await listen(service, {
    host: "127.0.0.1",
    port: 0,
    limits: { ...STOP_QUICKLY, ...changes },
    ...(networksOf !== undefined && { networksOf }),
  });
  t.after(() => listener.stop());
  return {
    service,
    port: listener.port,
    streams,
    ended,
    lateArrived: arrived.promise,
    release: released.resolve,
  };
}
