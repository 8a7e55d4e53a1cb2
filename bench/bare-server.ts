/** Bare `node:http` with the same bytes: one response, no routing, parsing or log, only a new request id. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { handleOrders, listenOnLoopback } from "./processes.ts";

export interface BareResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64: a compressed body is no text. */
  readonly body: string;
  /** How the server holds the body. */
  readonly as: "string" | "buffer";
}

handleOrders((responses: readonly BareResponse[]) => Promise.all(responses.map(start)));

function start({ status, headers, body, as }: BareResponse): Promise<number> {
  const bytes = Buffer.from(body, "base64");
  const isText = as === "string" && headers["Content-Encoding"] === undefined;
  const content = bytes.length === 0 ? undefined : isText ? bytes.toString("utf8") : bytes;
  const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
    response.writeHead(status, { ...headers, "X-Request-Id": randomUUID() });
    response.end(content);
  });
  return listenOnLoopback(server);
}
