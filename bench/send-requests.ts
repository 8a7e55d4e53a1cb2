/** Keep-alive sockets with one request in flight, open between slices; requests are made before measuring. */
import { connect, type Socket } from "node:net";
import type { Slice } from "./measure.ts";

export interface Connection {
  readonly socket: Socket;
  /** The response must be a 200 of known length; its body is only good until the next request. */
  exchange(request: Buffer): Promise<Buffer>;
}

/** Connections by port. */
const pools = new Map<number, readonly Connection[]>();

/** `onResponse` gets the time that a request took, in milliseconds. */
export async function sendRequests(
  port: number,
  connections: number,
  requests: readonly Buffer[],
  onResponse: (milliseconds: number) => void = () => {},
): Promise<Slice> {
  const pool = await fillPool(port, connections);
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    pool.slice(0, connections).map(async ({ exchange }) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const sentAt = performance.now();
        await exchange(request);
        onResponse(performance.now() - sentAt);
      }
    }),
  );
  return { count: requests.length, seconds: (performance.now() - startedAt) / 1000 };
}

/** Opens what is missing: those that the server has closed, or more than before. */
async function fillPool(port: number, count: number): Promise<readonly Connection[]> {
  const kept = pools.get(port)?.filter(({ socket }) => !socket.closed) ?? [];
  const missing = Math.max(0, count - kept.length);
  const opened = await Promise.all(Array.from({ length: missing }, () => openLoadConnection(port)));
  const connections = [...kept, ...opened];
  pools.set(port, connections);
  return connections;
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export function openLoadConnection(port: number): Promise<Connection> {
  const received = Buffer.allocUnsafeSlow(MAX_RESPONSE_BYTES);
  let size = 0;
  let bounds: { readonly start: number; readonly end: number } | null = null;
  /** Null while no request is in flight. */
  let waiting: PromiseWithResolvers<Buffer> | null = null;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("data", (chunk: Buffer) => {
    size += chunk.copy(received, size);
    bounds ??= bodyBounds(received.subarray(0, size));
    if (bounds === null || size < bounds.end) return;
    const body = received.subarray(bounds.start, bounds.end);
    size = 0;
    bounds = null;
    waiting?.resolve(body);
    waiting = null;
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error(`Port ${port} closed a connection`)));
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
      `A response began with "${head.split("\r\n")[0]}": ${bytes.toString("utf8", end)}`,
    );
  }
  return { start: end + 4, end: end + 4 + Number(length) };
}
