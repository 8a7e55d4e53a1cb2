/**
 * A service as a request listener of `node:http`. It does not go through `Request` and `Response`:
 * making them for each request would cost more than the rest of the service (see docs/decisions).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpService } from "./create-http-service.ts";
import type { RawRequest } from "./request.ts";
import { cancelBody, headerEntries, isInParts, type CompleteResponse } from "./response.ts";

export interface ConnectionHooks {
  /** Called with the connection of a response that goes on until one side ends it. */
  onLive(socket: Socket): void;
  /** Called when a response waits for its client to read on. */
  onUnread(socket: Socket): void;
}

/**
 * Makes the listener for `http.createServer` that serves one origin of a service, without a `Request` for
 * each request.
 * @param service - `api` or `smartDownload` of a release service
 * @param connection - called for each connection, by a server that bounds slow clients itself
 * @returns the listener
 */
export function createNodeHandler(
  service: HttpService,
  connection?: ConnectionHooks,
): RequestListener {
  const trySending = (response: CompleteResponse, outgoing: ServerResponse) => {
    try {
      if (response.isLive) {
        outgoing.setHeader("Connection", "close");
        connection?.onLive(outgoing.req.socket);
      }
      return send(response, outgoing);
    } catch (error) {
      // A server around the service has responded already, to a request that took too long for example.
      if (outgoing.headersSent) return cancelBody(response);
      // Node refuses characters that a header must not have; that must not end the process.
      discard(response, outgoing);
      return send(service.protocolErrorResponse({ kind: "unexpected" }, error), outgoing);
    }
  };
  const write = (response: CompleteResponse, outgoing: ServerResponse) => {
    const sending = trySending(response, outgoing);
    if (connection !== undefined) watchReading(outgoing, sending, connection);
    return sending;
  };
  return (incoming, outgoing) => {
    // RFC 9112 3.2. Node's own response to none would have neither the envelope nor the request id.
    const hosts = countHosts(incoming);
    if (hosts > 1 || (hosts === 0 && incoming.httpVersion === "1.1")) {
      outgoing.setHeader("Connection", "close");
      void write(service.protocolErrorResponse({ kind: "malformed-request" }), outgoing);
      return;
    }
    const response = service.respond(new NodeRequest(incoming));
    const sending =
      response instanceof Promise
        ? response.then(
            (result) => write(result, outgoing),
            // A service of someone else may fail; that must not end the process.
            (error) =>
              write(service.protocolErrorResponse({ kind: "unexpected" }, error), outgoing),
          )
        : write(response, outgoing);
    if (sending instanceof Promise) trackPending(outgoing, sending);
  };
}

/** Node would take the first of several. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

/** Forgets what Node keeps of a response that it refused. */
function discard(response: CompleteResponse, outgoing: ServerResponse): void {
  outgoing.statusMessage = "";
  for (const [name] of headerEntries(response)) outgoing.removeHeader(name);
  cancelBody(response);
}

/** Most responses leave at once, so that nothing has to be watched. */
function watchReading(
  outgoing: ServerResponse,
  sending: Promise<void> | void,
  { onUnread }: ConnectionHooks,
): void {
  const { socket } = outgoing;
  // A pipelined response gets the connection when the one before it is sent.
  if (socket === null) outgoing.once("socket", onUnread);
  else if (sending instanceof Promise || socket.writableLength > 0) onUnread(socket);
}

const pendingBySocket = new WeakMap<Duplex, Set<ServerResponse>>();

/** The responses of a connection that are not written yet, in the order of their requests. */
export function pendingResponses(socket: Duplex): readonly ServerResponse[] {
  return [...(pendingBySocket.get(socket) ?? [])];
}

function trackPending(outgoing: ServerResponse, sending: Promise<void>): void {
  const { socket } = outgoing.req;
  const pending = pendingBySocket.get(socket) ?? new Set();
  pendingBySocket.set(socket, pending.add(outgoing));
  void sending.finally(() => pending.delete(outgoing));
}

/** A class, so that the methods are shared by all requests. */
class NodeRequest implements RawRequest {
  readonly method: string;
  readonly target: string;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "/";
    this.#incoming = incoming;
  }

  header(name: string): string | null {
    return readHeader(this.#incoming, name);
  }

  get remoteAddress(): string | undefined {
    return this.#incoming.socket.remoteAddress;
  }

  /** Made when it is asked for: most requests are read at once. */
  get signal(): AbortSignal {
    const gone = new AbortController();
    if (this.#incoming.destroyed) gone.abort();
    else this.#incoming.once("close", () => gone.abort());
    return gone.signal;
  }

  async *body(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    } finally {
      // A reader that stops early still sends a response: the rest of the body is discarded.
      this.#incoming.resume();
    }
  }
}

/**
 * A request needs one or two of its headers: `headersDistinct`, which parses them all, would cost 4 %
 * of a release route. RFC 9110 5.3 joins the values of a repeated header with commas, RFC 9113 8.2.3
 * those of cookies with semicolons.
 */
function readHeader({ rawHeaders }: IncomingMessage, name: string): string | null {
  let joined: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const found = rawHeaders[index];
    if (found?.length !== name.length || found.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] ?? "";
    joined = joined === null ? value : `${joined}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return joined;
}

function send(
  { status, headers, body }: CompleteResponse,
  outgoing: ServerResponse,
): Promise<void> | void {
  // Node discards a body that was not read; on Deno the next request of the connection would wait for it.
  if (outgoing.req.method !== "GET") outgoing.once("finish", () => outgoing.req.resume());
  outgoing.writeHead(status, headers);
  if (body instanceof ReadableStream) {
    return sendStream(body, outgoing);
  }
  if (isInParts(body)) {
    // The socket is corked until the end, so that all parts leave together with the headers.
    outgoing.cork();
    for (const part of body) outgoing.write(part);
    outgoing.end();
  } else {
    outgoing.end(body ?? undefined);
  }
}

/**
 * Takes the next chunk when the last one has left the process, so that a slow client keeps one chunk in
 * memory; `pipeline` would fill the buffers of two streams first.
 */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  // A client that goes away ends the body, also while the body has nothing to send.
  if (outgoing.destroyed) cancel();
  else outgoing.once("close", cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await writeChunk(outgoing, next.value);
    }
    outgoing.end();
  } catch {
    // A stream that fails ends the connection: the status has been sent.
    outgoing.destroy();
  }
}

function writeChunk(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
