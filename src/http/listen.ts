/** A listener on Node with a graceful stop. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpService } from "./create-http-service.ts";
import { createServiceServer, type ConnectionLimits, type ServerOptions } from "./create-server.ts";

export interface ListenOptions extends ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly limits: ListenLimits;
}

export interface ListenLimits extends ConnectionLimits {
  readonly stopSeconds: number;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets running requests finish, then closes what is left. */
  stop(): Promise<void>;
}

export async function listen(service: HttpService, options: ListenOptions): Promise<Listener> {
  const server = createServiceServer(service, options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => stopServer(server, options.limits.stopSeconds * 1000),
  };
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
