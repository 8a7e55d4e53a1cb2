/** A listener on Node: limits on every connection, answers in the service's words, a graceful stop. */
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpError } from "./http-error.ts";
import { toHttpResponse } from "./response.ts";
import type { HttpService } from "./create-http-service.ts";
import { keepTickObject } from "./keep-tick-object.ts";
import { createNodeHandler } from "./node-handler.ts";

// An import would also read the module's getters, among them those of its WebSocket client, and so load
// all of Node's fetch: 17 MB that a server has no use for.
const http = process.getBuiltinModule("node:http");

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly limits: ListenLimits;
}

export interface ListenLimits {
  readonly maxHeaderBytes: number;
  readonly headerTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
  readonly stopSeconds: number;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets running requests finish, then closes what is left. */
  stop(): Promise<void>;
}

export async function listen(service: HttpService, options: ListenOptions): Promise<Listener> {
  keepTickObject();
  const { limits } = options;
  const handle = createNodeHandler(service);
  const server = http.createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headerTimeoutSeconds * 1000,
      requestTimeout: limits.requestTimeoutSeconds * 1000,
      keepAliveTimeout: limits.keepAliveSeconds * 1000,
      // How late a timeout may be noticed.
      connectionsCheckingInterval: 1000,
    },
    handle,
  );
  // RFC 9110 10.1.1: an expectation that is not understood may be ignored.
  server.on("checkExpectation", handle);
  server.maxConnections = limits.maxConnections;
  server.on("clientError", (error, socket) => writeClientError(service, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => stopServer(server, limits.stopSeconds * 1000),
  };
}

/** Bytes that are no HTTP still get an answer in the service's envelope, and never stop the server. */
function writeClientError(service: HttpService, error: NodeJS.ErrnoException, socket: Duplex) {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const running = pendingResponse(socket);
  if (running?.req.complete === true) {
    // What is broken came after a whole request, whose answer is still due.
    running.once("finish", () => socket.end());
    return;
  }
  if (running?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toHttpResponse(
    service.protocolErrorResponse(readClientError(error.code)),
  );
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  socket.end(typeof body === "string" ? head + body : head);
}

/** The answer under way on a connection. Node's own handling of broken bytes asks the same. */
function pendingResponse(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, "_httpMessage");
  return message instanceof http.ServerResponse ? message : undefined;
}

function readClientError(code: string | undefined): HttpError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { kind: "malformed-request", status: 431 };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { kind: "malformed-request", status: 408 };
    default:
      return { kind: "malformed-request", status: 400 };
  }
}

function stopServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection turns idle when its request ends; a keep-alive must not hold the stop.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
