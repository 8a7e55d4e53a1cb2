/** A service on loopback with one thing broken. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createNodeHandler } from "../../src/http/node-handler.ts";
import { plainExchange, type BrokenResponse } from "./breaks/break.ts";

/** `answer` stands in for the service, which it may ask. */
export function breakService(real: HttpService, answer: BrokenResponse | undefined): HttpService {
  if (answer === undefined) return real;
  const context: Parameters<BrokenResponse>[1] = {
    honest: async (request) => real.respond(request),
  };
  return {
    ...real,
    respond: (request) => answer(plainExchange(request), context),
  };
}

/** `tamper` changes the server itself, below the service. */
export async function serveBroken(service: HttpService, tamper?: (server: Server) => void) {
  const server = createServer(createNodeHandler(service));
  tamper?.(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
