/** Clients of a server in a process of their own: requests with the time of each, and open streams. */
import { connect, type Socket } from "node:net";
import { handleOrders } from "../processes.ts";
import { sendRequests } from "../send-requests.ts";

export type ServeOrder =
  /** All requests, `times` over. */
  | {
      readonly kind: "send";
      readonly port: number;
      readonly connections: number;
      readonly requests: readonly string[];
      readonly times: number;
    }
  /** Opens a stream for each request, and resolves when each has its first event. */
  | { readonly kind: "open"; readonly port: number; readonly requests: readonly string[] }
  /** Sends a request, and resolves when every open stream has got an event after it. */
  | { readonly kind: "change"; readonly port: number; readonly request: string };

export interface ServeResult {
  readonly count: number;
  readonly seconds: number;
  /** The time of each request, in milliseconds. */
  readonly latencies: readonly number[];
}

const TIMEOUT_MS = 30_000;
const streams: Socket[] = [];

handleOrders(run);

async function run(order: ServeOrder): Promise<ServeResult> {
  const latencies: number[] = [];
  const note = (milliseconds: number) => void latencies.push(milliseconds);
  switch (order.kind) {
    case "send": {
      const each = order.requests.map((request) => Buffer.from(request));
      const requests = new Array(order.times).fill(each).flat();
      const slice = await sendRequests(order.port, order.connections, requests, note);
      return { ...slice, latencies };
    }
    case "open": {
      const startedAt = performance.now();
      const opened = await Promise.all(order.requests.map((one) => openStream(order.port, one)));
      streams.push(...opened);
      return { count: opened.length, seconds: secondsSince(startedAt), latencies };
    }
    case "change": {
      const startedAt = performance.now();
      const seen = Promise.all(streams.map(nextEvent));
      await sendRequests(order.port, 1, [Buffer.from(order.request)], note);
      await seen;
      return { count: streams.length, seconds: secondsSince(startedAt), latencies };
    }
  }
}

async function openStream(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const opened = nextEvent(socket);
  socket.write(request);
  await opened;
  return socket;
}

function nextEvent(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = () => reject(new Error("A stream got no event in time"));
  const timer = setTimeout(late, TIMEOUT_MS);
  const read = (chunk: Buffer) => {
    const text = chunk.toString("latin1");
    if (/^HTTP\/1\.1 (?!200)/.test(text)) reject(new Error(`A stream got ${text.slice(9, 12)}`));
    if (text.includes("event: ")) resolve();
  };
  socket.on("data", read);
  socket.once("error", reject);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off("data", read);
    socket.off("error", reject);
  });
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
