/** A service on loopback that a case plays: it responds as the case says, and remembers what was asked. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  /** As in reports, such as `GET /api/events?limit=500`. */
  readonly asked: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** On the clock of `performance.now()`. */
  readonly arrivedAt: number;
  /** When the response was complete or its connection closed; null until then. */
  endedAt: number | null;
}

export interface PlainReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A function writes the response itself, perhaps never to its end. */
export type Reply = PlainReply | ((response: ServerResponse) => void);

export type Respond = (request: SeenRequest) => Reply | Promise<Reply>;

export interface LoopbackService {
  /** Without a trailing slash. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Runs a service for as long as the work takes. */
export async function withService<T>(
  respond: Respond,
  work: (service: LoopbackService) => Promise<T>,
): Promise<T> {
  const requests: SeenRequest[] = [];
  let thrown: unknown;
  const server = createServer((message, response) => {
    handle(message, response, requests, respond).catch((error: unknown) => {
      // A client that goes away while it sends is no error of the case.
      if (!message.destroyed) thrown ??= error;
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const result = await work({ url: `http://127.0.0.1:${port}`, requests });
    if (thrown !== undefined) throw thrown;
    return result;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  requests: SeenRequest[],
  respond: Respond,
): Promise<void> {
  const arrivedAt = performance.now();
  const request = { ...readHead(message), arrivedAt, body: "", endedAt: null as number | null };
  requests.push(request);
  response.on("close", () => {
    request.endedAt = performance.now();
  });
  request.body = await readBody(message);
  const reply = await respond(request);
  if (response.destroyed) return;
  if (typeof reply === "function") {
    reply(response);
    return;
  }
  const body = message.method === "HEAD" ? "" : (reply.body ?? "");
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(reply.status !== 304 && { "Content-Length": String(Buffer.byteLength(body)) }),
  });
  response.end(body);
}

function readHead({ method = "", url: target = "/", headers }: IncomingMessage) {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return {
    asked: `${method} ${target}`,
    method,
    path,
    query: new URLSearchParams(query),
    headers: new Headers(given),
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("The client sent more than 8 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export function jsonReply(value: unknown, status = 200): PlainReply {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  };
}
