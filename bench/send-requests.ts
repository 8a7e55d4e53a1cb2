/** Keep-alive sockets with one request in flight, open between slices; requests are made before measuring. */
import { connect, type Socket } from "node:net";
import type { Slice } from "./measure.ts";

export interface LoadResponse {
  readonly status: number;
  /** The body is only good until the next request. */
  readonly body: Buffer;
}

export interface Connection {
  readonly socket: Socket;
  /** Any response. */
  ask(request: Buffer): Promise<LoadResponse>;
  /** Returns the body of a response that must be a success. */
  exchange(request: Buffer): Promise<Buffer>;
}

/** Connections by port. */
const pools = new Map<number, readonly Connection[]>();

/** `onResponse` gets the time that a request took, in milliseconds. */
export async function sendRequests(
  port: number,
  connections: number,
  requests: readonly Buffer[],
  onResponse?: (milliseconds: number) => void,
): Promise<Slice> {
  const addressed = requests.map((request) => ({ port, request }));
  return sendAddressed(connections, addressed, onResponse);
}

export interface AddressedRequest {
  readonly port: number;
  readonly request: Buffer;
}

/** Sends so many at once, each to its port, on connections to all of them. */
export async function sendAddressed(
  connections: number,
  requests: readonly AddressedRequest[],
  onResponse: (milliseconds: number) => void = () => {},
): Promise<Slice> {
  for (const port of new Set(requests.map((one) => one.port))) await fillPool(port, connections);
  let next = 0;
  const startedAt = performance.now();
  const sendNext = async (index: number) => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      const sentAt = performance.now();
      await pools.get(one.port)?.[index]?.exchange(one.request);
      onResponse(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => sendNext(index)));
  return { count: requests.length, seconds: (performance.now() - startedAt) / 1000 };
}

/** Opens what is missing: those that the server has closed, or more than before. */
async function fillPool(port: number, count: number): Promise<void> {
  const kept = pools.get(port)?.filter(({ socket }) => !socket.closed) ?? [];
  const missing = Math.max(0, count - kept.length);
  const opened = await Promise.all(Array.from({ length: missing }, () => openLoadConnection(port)));
  pools.set(port, [...kept, ...opened]);
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export function openLoadConnection(port: number): Promise<Connection> {
  const received = Buffer.allocUnsafeSlow(MAX_RESPONSE_BYTES);
  let size = 0;
  let head: ResponseHead | null = null;
  /** Null while no request is in flight. */
  let waiting: PromiseWithResolvers<LoadResponse> | null = null;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("data", (chunk: Buffer) => {
    size += chunk.copy(received, size);
    head ??= readHead(received.subarray(0, size));
    if (head === null || size < head.end) return;
    const response = { status: head.status, body: received.subarray(head.start, head.end) };
    size = 0;
    head = null;
    waiting?.resolve(response);
    waiting = null;
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error(`Port ${port} closed a connection`)));
  const ask = (request: Buffer) => {
    waiting = Promise.withResolvers<LoadResponse>();
    socket.write(request);
    return waiting.promise;
  };
  const exchange = async (request: Buffer) => {
    const { status, body } = await ask(request);
    if (status < 200 || status > 299)
      throw new Error(`A response has status ${status}: ${body.toString()}`);
    return body;
  };
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => resolve({ socket, ask, exchange }));
  });
}

interface ResponseHead {
  readonly status: number;
  /** The bounds of the body. */
  readonly start: number;
  readonly end: number;
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Null while the headers, or the chunks of a body without a length, are not all there. */
function readHead(bytes: Buffer): ResponseHead | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return { status, start, end: start + Number(length) };
  if (status === 204) return { status, start, end: start };
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) {
    throw new Error(`A response has no length: ${head.split("\r\n")[0]}`);
  }
  // One request is in flight, so nothing follows the last chunk.
  return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    ? { status, start, end: bytes.length }
    : null;
}
