/**
 * Devices at the sync service, in a process of their own: keep-alive connections over plain sockets,
 * one request in flight on each. Requests are made before the clock runs.
 */
import { connect, type Socket } from "node:net";
import { pushTexts } from "./operations.ts";

interface Target {
  readonly port: number;
  readonly token: string;
}

export type SyncLoadOrder = Target &
  (
    | {
        readonly kind: "push";
        readonly device: string;
        readonly from: number;
        readonly count: number;
        readonly connections: number;
      }
    | {
        readonly kind: "get";
        readonly path: string;
        readonly count: number;
        readonly connections: number;
      }
    | { readonly kind: "sync"; readonly limit: number; readonly length: number }
    | { readonly kind: "snapshot" }
  );

export interface SyncLoadResult {
  /** Requests, or operations of a first sync, or bytes of a snapshot. */
  readonly count: number;
  readonly seconds: number;
}

process.on("message", (order: SyncLoadOrder) => {
  obey(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

function obey(order: SyncLoadOrder): Promise<SyncLoadResult> {
  switch (order.kind) {
    case "push": {
      const { device, from } = order;
      const requests = Array.from({ length: order.count }, (_, index) =>
        pushRequest(order, pushTexts(device, from + index)),
      );
      return sendAll(order.port, order.connections, requests);
    }
    case "get": {
      const request = getRequest(order, order.path);
      return sendAll(order.port, order.connections, new Array(order.count).fill(request));
    }
    case "sync":
      return firstSync(order);
    case "snapshot":
      return readSnapshot(order);
  }
}

async function sendAll(
  port: number,
  connections: number,
  requests: readonly Buffer[],
): Promise<SyncLoadResult> {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    pool.map(async ({ exchange }) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        await exchange(request);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { socket } of pool) socket.destroy();
  return { count: requests.length, seconds };
}

/** A new device: all pages from the first on. */
async function firstSync({
  port,
  token,
  limit,
  length,
}: Target & { limit: number; length: number }): Promise<SyncLoadResult> {
  const { socket, exchange } = await openConnection(port);
  const startedAt = performance.now();
  let cursor = "";
  let count = 0;
  while (count < length) {
    const body = await exchange(getRequest({ port, token }, `/v1/pull?limit=${limit}${cursor}`));
    // The operations are a device's work; of the rest only the cursor matters here.
    const tail = body.subarray(-300).toString("latin1");
    cursor = `&cursor=${/"cursor":"([\w-]+)"/.exec(tail)?.[1]}`;
    count += limit;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  socket.destroy();
  return { count, seconds };
}

async function readSnapshot({ port, token }: Target): Promise<SyncLoadResult> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/v1/snapshot`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`The snapshot answered ${response.status}`);
  let count = 0;
  for await (const chunk of response.body ?? []) count += chunk.length;
  return { count, seconds: (performance.now() - startedAt) / 1000 };
}

function pushRequest({ token }: Target, texts: readonly string[]): Buffer {
  const body = `{"operations":[${texts.join(",")}]}`;
  return Buffer.from(
    `POST /v1/push HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function getRequest({ token }: Target, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
}

interface Connection {
  readonly socket: Socket;
  /** Sends a request and settles with the body of its answer, which must be a 200 of known length. */
  exchange(request: Buffer): Promise<Buffer>;
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

function openConnection(port: number): Promise<Connection> {
  const received = Buffer.allocUnsafeSlow(MAX_RESPONSE_BYTES);
  let size = 0;
  let bounds: { readonly start: number; readonly end: number } | null = null;
  let waiting = Promise.withResolvers<Buffer>();
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("data", (chunk: Buffer) => {
    size += chunk.copy(received, size);
    bounds ??= bodyBounds(received.subarray(0, size));
    if (bounds === null || size < bounds.end) return;
    const body = received.subarray(bounds.start, bounds.end);
    size = 0;
    bounds = null;
    waiting.resolve(body);
  });
  socket.on("error", (error) => waiting.reject(error));
  socket.on("close", () => waiting.reject(new Error(`Port ${port} closed a connection`)));
  const exchange = (request: Buffer) => {
    waiting = Promise.withResolvers<Buffer>();
    socket.write(request);
    return waiting.promise;
  };
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => resolve({ socket, exchange }));
  });
}

/** Null while the headers are not all there. */
function bodyBounds(bytes: Buffer): { readonly start: number; readonly end: number } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) {
    throw new Error(
      `An answer began with "${head.split("\r\n")[0]}": ${bytes.toString("utf8", end)}`,
    );
  }
  return { start: end + 4, end: end + 4 + Number(length) };
}
