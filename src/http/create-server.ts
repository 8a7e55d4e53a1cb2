/** A server of Node for a service: limits on every connection, and errors in the service's envelope. */
import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerOptions as NodeServerOptions,
  type ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpService } from "./create-http-service.ts";
import type { HttpError } from "./http-error.ts";
import { createNodeHandler, pendingResponses } from "./node-handler.ts";
import { headerEntries } from "./response.ts";

export interface ServerOptions {
  readonly limits: ConnectionLimits;
  /** The networks that a connection counts for; none for one that no limit counts. */
  networksOf?(address: string): readonly ConnectionShare[];
}

/** What a network has of the connections, as a multiple of `maxConnectionsPerNetwork`. */
export interface ConnectionShare {
  readonly key: string;
  readonly share: number;
}

export interface ConnectionLimits {
  readonly maxHeaderBytes: number;
  readonly headerTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly responseTimeoutSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerNetwork: number;
}

export function createServiceServer(service: HttpService, options: ServerOptions): Server {
  const { limits } = options;
  const connections = createConnectionCounts(options);
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
    // Node stops the timer of an ended connection when its client completes a request after an error.
    if (!incoming.socket.writable) startTimer(incoming.socket);
    respond(incoming, outgoing);
  };
  const unsentOn = (socket: Duplex): ServerResponse[] => {
    const unsent = [...pendingResponses(socket)];
    if (latest?.req.socket === socket && !latest.writableFinished) unsent.push(latest);
    return unsent;
  };
  const server = createServer(nodeOptions(limits), handle);
  // RFC 9110 10.1.1: an expectation that is not understood may be ignored.
  server.on("checkExpectation", handle);
  server.maxConnections = limits.maxConnections;
  server.on("connection", connections.count);
  server.on("timeout", destroyStalled);
  server.on("clientError", (error, socket) => {
    if (socket instanceof Socket) startTimer(socket);
    respondToClientError(service, error, socket, unsentOn(socket));
  });
  server.on("connect", (_request, socket) => {
    // Node no longer listens to this connection.
    socket.on("error", () => socket.destroy());
    socket.on("finish", () => socket.destroy());
    endWithError(service, { kind: "unroutable" }, socket, unsentOn(socket));
  });
  return server;
}

function nodeOptions(limits: ConnectionLimits): NodeServerOptions {
  return {
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headerTimeoutSeconds * 1000,
    requestTimeout: limits.requestTimeoutSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    // How late a timeout may be noticed.
    connectionsCheckingInterval: 1000,
    // A request without a body needs no stream for it.
    optimizeEmptyRequests: true,
  };
}

interface ConnectionCounts {
  /** One network must not take all connections; what exceeds its share is closed at once. */
  count(socket: Socket): void;
  /** The connection counts neither for its networks nor for the listener any more, until it is closed. */
  exempt(socket: Socket, server: Server): void;
}

function createConnectionCounts({ limits, networksOf }: ServerOptions): ConnectionCounts {
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
function respondToClientError(
  service: HttpService,
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  unsent: readonly ServerResponse[],
): void {
  // A browser opens connections that it may need: to silence there is nothing to respond.
  const isSilent = socket instanceof Socket && socket.bytesRead === 0;
  if (code === "ECONNRESET" || !socket.writable || isSilent) {
    socket.destroy();
    return;
  }
  endWithError(service, toHttpError(code), socket, unsent);
}

/** Ends the connection with an error, but for the responses that are due before it. */
function endWithError(
  service: HttpService,
  error: HttpError,
  socket: Duplex,
  unsent: readonly ServerResponse[],
): void {
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
  const response = service.protocolErrorResponse(error);
  const { status, body } = response;
  const lines = [...headerEntries(response), ["Connection", "close"]].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  socket.end(typeof body === "string" ? head + body : head);
}

/** What is wrong with the request line tells that no route can be meant; the rest is framing. */
function toHttpError(code: string | undefined): HttpError {
  const isUnroutable = code === "HPE_INVALID_METHOD" || code === "HPE_INVALID_URL";
  return { kind: isUnroutable ? "unroutable" : "malformed-request" };
}
