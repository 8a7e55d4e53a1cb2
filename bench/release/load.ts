/**
 * The load generator, a process of its own: keep-alive connections over plain sockets, one request in
 * flight on each. It has to outrun the servers, so a response is checked once in full and then only
 * counted: the same request always gets as many bytes.
 */
import { connect, type Socket } from "node:net";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";

export interface LoadOrder {
  readonly port: number;
  /** The request as it is written to the socket. */
  readonly request: string;
  readonly connections: number;
  readonly durationMs: number;
  /** What the first line must say. */
  readonly status: number;
}

interface Connection {
  readonly socket: Socket;
  start(onResponse: () => boolean, onFailure: (error: Error) => void): void;
}

handleOrders(run);

interface Pool {
  readonly request: string;
  readonly connections: readonly Connection[];
}

/** Pools by port. Connections stay open between slices, as those of proxies do between requests. */
const pools = new Map<number, Pool>();

async function run(order: LoadOrder): Promise<Slice> {
  const pool = await fillPool(order);
  const startedAt = performance.now();
  const endsAt = startedAt + order.durationMs;
  let count = 0;
  let running = pool.length;
  await new Promise<void>((resolve, reject) => {
    const onResponse = () => {
      count++;
      if (performance.now() < endsAt) return true;
      if (--running === 0) resolve();
      return false;
    };
    for (const connection of pool) connection.start(onResponse, reject);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { count, seconds };
}

/** Opens what is missing: all for another request than before, those that the server has closed. */
async function fillPool(order: LoadOrder): Promise<readonly Connection[]> {
  const { port, request } = order;
  const pool = pools.get(port);
  const kept = pool?.connections.filter(({ socket }) => !socket.closed) ?? [];
  const isOther = pool?.request !== request;
  if (isOther) for (const { socket } of kept) socket.destroy();
  const usable = isOther ? [] : kept;
  const missing = Array.from({ length: order.connections - usable.length }, () => open(order));
  const connections = [...usable, ...(await Promise.all(missing))];
  pools.set(port, { request, connections });
  return connections;
}

/** Connects and checks one whole response, which says how long the others will be. */
function open({ port, request, status }: LoadOrder): Promise<Connection> {
  const bytes = Buffer.from(request, "latin1");
  return new Promise((resolve, reject) => {
    let head = "";
    let length = 0;
    let received = 0;
    let onResponse: () => boolean = () => false;
    let onFailure = reject;
    const finishFirst = () => {
      const total = responseLength(head, status);
      if (total === null || head.length < total) return;
      if (head.length > total) throw new Error(`Too much came back on port ${port}`);
      length = total;
      resolve({
        socket,
        start: (next, fail) => {
          onResponse = next;
          onFailure = fail;
          socket.write(bytes);
        },
      });
    };
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(256 * 1024),
        callback: (size, buffer) => {
          try {
            if (length === 0) {
              head += Buffer.from(buffer.buffer, 0, size).toString("latin1");
              finishFirst();
              return true;
            }
            if (received === 0) checkStatus(buffer, status);
            received += size;
            if (received < length) return true;
            if (received > length) throw new Error(`A response of port ${port} has another length`);
            received = 0;
            if (onResponse()) socket.write(bytes);
          } catch (error) {
            socket.destroy();
            onFailure(error);
          }
          return true;
        },
      },
    });
    socket.on("connect", () => socket.write(bytes));
    socket.on("error", (error) => onFailure(error));
    socket.on("close", () => onFailure(new Error(`Port ${port} closed a connection`)));
  });
}

/** Null while the headers are not all there. */
function responseLength(text: string, status: number): number | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  if (!text.startsWith(`HTTP/1.1 ${status} `)) {
    throw new Error(`Expected ${status}, got "${text.slice(0, 32).split("\r\n")[0]}"`);
  }
  const body = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  // A 304 may name the length of what it does not send.
  return end + 4 + (status === 304 || body === undefined ? 0 : Number(body));
}

/** The status is the three digits after `HTTP/1.1 `. */
function checkStatus(buffer: Uint8Array, status: number): void {
  const found =
    ((buffer[9] ?? 0) - 48) * 100 + ((buffer[10] ?? 0) - 48) * 10 + (buffer[11] ?? 0) - 48;
  if (found !== status) throw new Error(`Expected ${status}, got ${found}`);
}
