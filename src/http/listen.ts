/** A listener on Node: limits on every connection, errors in the service's envelope, a graceful stop. */
import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { Socket, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpService } from "./create-http-service.ts";
import type { HttpError } from "./http-error.ts";
import { createNodeHandler, pendingResponses } from "./node-handler.ts";
import { headerEntries } from "./response.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly limits: ListenLimits;
  /** The networks that a connection counts for; none for one that no limit counts. */
  networksOf?(address: string): readonly ConnectionShare[];
}

/** What a network has of the connections, as a multiple of `maxConnectionsPerNetwork`. */
export interface ConnectionShare {
  readonly key: string;
  readonly share: number;
}

export interface ListenLimits {
  readonly maxHeaderBytes: number;
  readonly headerTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly responseTimeoutSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerNetwork: number;
  readonly stopSeconds: number;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets running requests finish, then closes what is left. */
  stop(): Promise<void>;
}

export async function listen(service: HttpService, options: ListenOptions): Promise<Listener> {
  const { limits } = options;
  const connections = createConnectionLimits(options);
  // Node restarts the timer whenever bytes are read or written, and replaces it when a response is sent.
  const startTimer = (socket: Socket) => socket.setTimeout(limits.responseTimeoutSeconds * 1000);
  const respond = createNodeHandler(service, {
    onLive: (socket) => connections.exempt(socket, server),
    onUnread: startTimer,
  });
  // Bytes after a request in one packet are parsed before its response counts as sent.
  let latest: ServerResponse | undefined;
  const handle: RequestListener = (incoming, outgoing) => {
    latest = outgoing;
    // Node stops the timer of an ended connection when its client completes a request after a 408.
    if (!incoming.socket.writable) startTimer(incoming.socket);
    respond(incoming, outgoing);
  };
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headerTimeoutSeconds * 1000,
      requestTimeout: limits.requestTimeoutSeconds * 1000,
      keepAliveTimeout: limits.keepAliveSeconds * 1000,
      // How late a timeout may be noticed.
      connectionsCheckingInterval: 1000,
      // A request without a body needs no stream for it.
      optimizeEmptyRequests: true,
    },
    handle,
  );
  // RFC 9110 10.1.1: an expectation that is not understood may be ignored.
  server.on("checkExpectation", handle);
  server.maxConnections = limits.maxConnections;
  server.on("connection", connections.count);
  server.on("timeout", destroyStalled);
  server.on("clientError", (error, socket) => {
    const unsent = [...pendingResponses(socket)];
    if (latest?.req.socket === socket && !latest.writableFinished) unsent.push(latest);
    if (socket instanceof Socket) startTimer(socket);
    writeClientError(service, error, socket, unsent);
  });
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

interface ConnectionLimits {
  /** One network must not take all connections; what exceeds its share is closed at once. */
  count(socket: Socket): void;
  /** The connection counts neither for its networks nor for the listener any more, until it is closed. */
  exempt(socket: Socket, server: Server): void;
}

function createConnectionLimits({ limits, networksOf }: ListenOptions): ConnectionLimits {
  const open = new Map<string, number>();
  const releases = new WeakMap<Socket, () => void>();
  const countOf = (key: string) => open.get(key) ?? 0;
  return {
    count(socket) {
      const networks = networksOf?.(socket.remoteAddress ?? "") ?? [];
      const isOver = networks.some(
        ({ key, share }) => countOf(key) >= share * limits.maxConnectionsPerNetwork,
      );
      if (isOver) return void socket.destroy();
      for (const { key } of networks) open.set(key, countOf(key) + 1);
      const release = () => {
        if (!releases.delete(socket)) return;
        for (const { key } of networks) {
          if (countOf(key) > 1) open.set(key, countOf(key) - 1);
          else open.delete(key);
        }
      };
      releases.set(socket, release);
      socket.once("close", release);
    },
    exempt(socket, server) {
      releases.get(socket)?.();
      if (socket.destroyed) return;
      server.maxConnections++;
      socket.once("close", () => server.maxConnections--);
    },
  };
}

/**
 * Closes a connection that is idle, or whose client does not read. A handler may take its time, unless its
 * response cannot be sent any more.
 */
function destroyStalled(socket: Socket): void {
  const isWaiting =
    socket.writable && pendingResponses(socket).length > 0 && socket.writableLength === 0;
  if (!isWaiting) socket.destroy();
}

/** Bytes that are not HTTP get a response in the service's envelope. */
function writeClientError(
  service: HttpService,
  error: NodeJS.ErrnoException,
  socket: Duplex,
  unsent: readonly ServerResponse[],
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const due = unsent.findLast(({ req }) => req.complete);
  if (due !== undefined) {
    // The broken bytes follow a whole request, whose response must be sent first.
    due.once("finish", () => socket.end());
    return;
  }
  if (socket.writableLength > 0) {
    // A response is still in the buffer of the socket.
    socket.end();
    return;
  }
  if (unsent.some(({ headersSent }) => headersSent)) {
    socket.destroy();
    return;
  }
  const response = service.protocolErrorResponse(toHttpError(error.code));
  const { status, body } = response;
  const lines = [...headerEntries(response), ["Connection", "close"]].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  socket.end(typeof body === "string" ? head + body : head);
}

function toHttpError(code: string | undefined): HttpError {
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
    // A connection becomes idle when its request ends; an idle one must not delay the stop.
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
