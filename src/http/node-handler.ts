/**
 * The Node face of a service. It writes answers as they are: making a `Request` and a `Response`
 * for each would cost more than everything else the service does (see docs/decisions).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./answer.ts";
import type { HttpService } from "./create-http-service.ts";

export function createNodeHandler(service: HttpService): RequestListener {
  return (incoming, outgoing) => {
    const answer = service.answer({
      method: incoming.method ?? "GET",
      target: incoming.url ?? "/",
      header: (name) => readHeader(incoming, name),
      remoteAddress: incoming.socket.remoteAddress,
      body: () => incoming,
    });
    if (answer instanceof Promise) {
      void answer.then((settled) => write(settled, outgoing));
    } else {
      write(answer, outgoing);
    }
  };
}

function readHeader(incoming: IncomingMessage, name: string): string | null {
  const value = incoming.headers[name];
  return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
}

function write(answer: Answer, outgoing: ServerResponse): void {
  const { status, headers, body } = answer;
  outgoing.writeHead(status, headers);
  if (body instanceof ReadableStream) {
    // A broken pipe ends the connection; there is nobody left to tell.
    pipeline(Readable.fromWeb(body), outgoing).catch(() => outgoing.destroy());
    return;
  }
  outgoing.end(body ?? undefined);
}
