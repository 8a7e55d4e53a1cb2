/**
 * The Node face of a service. It writes answers as they are: making a `Request` and a `Response`
 * for each would cost more than everything else the service does (see docs/decisions).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { WireResponse } from "./response.ts";
import type { HttpService } from "./create-http-service.ts";
import type { RawRequest } from "./raw-request.ts";

export function createNodeHandler(service: HttpService): RequestListener {
  /** An answer that cannot be written is a fault of ours, and must not end the process. */
  const write = (answer: WireResponse, outgoing: ServerResponse) => {
    try {
      send(answer, outgoing);
    } catch (error) {
      send(service.protocolErrorResponse({ kind: "unexpected" }, error), outgoing);
    }
  };
  return (incoming, outgoing) => {
    // RFC 9112 3.2. Node's own refusal would have neither the envelope nor the request id.
    if (incoming.httpVersion === "1.1" && readHeader(incoming, "host") === null) {
      outgoing.setHeader("Connection", "close");
      write(service.protocolErrorResponse({ kind: "malformed-request", status: 400 }), outgoing);
      return;
    }
    const answer = service.answer(new NodeRawRequest(incoming));
    if (answer instanceof Promise) {
      void answer.then((settled) => write(settled, outgoing));
    } else {
      write(answer, outgoing);
    }
  };
}

/** A class, because every request makes one: its methods are shared, and the address waits to be asked. */
class NodeRawRequest implements RawRequest {
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

  body(): AsyncIterable<Uint8Array> {
    return readChunks(this.#incoming);
  }
}

/**
 * Node's own iterator costs more than most bodies, which are there by the time somebody reads them.
 * Whoever stops reading still wants to answer, so the rest is thrown away, not the connection.
 */
async function* readChunks(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const chunk = incoming.read() as Uint8Array | null;
      if (chunk !== null) yield chunk;
      else if (incoming.complete && incoming.readableLength === 0) return;
      else await moreOf(incoming);
    }
  } finally {
    incoming.resume();
  }
}

/** Until there is more to read, or nothing more to come. */
function moreOf(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      for (const event of ["readable", "end"]) incoming.off(event, onMore);
      for (const event of ["error", "close"]) incoming.off(event, onBroken);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onMore = () => settle();
    const onBroken = (error?: Error) => settle(error ?? new Error("The connection was closed"));
    for (const event of ["readable", "end"]) incoming.on(event, onMore);
    for (const event of ["error", "close"]) incoming.on(event, onBroken);
    if (incoming.errored !== null || incoming.destroyed) onBroken(incoming.errored ?? undefined);
  });
}

/**
 * Looks through the headers as they came: for the one or two that a request is asked for that takes
 * less than making the object that Node would. A repeated header is joined (RFC 9110 5.3), cookies
 * as one line of them would be (RFC 9113 8.2.3): a comma may be part of one.
 */
function readHeader({ rawHeaders }: IncomingMessage, name: string): string | null {
  let value: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? "";
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    const text = rawHeaders[index + 1] ?? "";
    value = value === null ? text : `${value}${name === "cookie" ? "; " : ", "}${text}`;
  }
  return value;
}

function send({ status, headerList, body }: WireResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headerList as string[]);
  if (body instanceof ReadableStream) {
    // A broken pipe ends the connection; there is nobody left to tell.
    pipeline(Readable.fromWeb(body), outgoing).catch(() => outgoing.destroy());
    return;
  }
  outgoing.end(body ?? undefined);
}
