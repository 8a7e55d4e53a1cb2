import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createServiceServer } from "../../src/http/create-server.ts";
import { LOOPBACK_LIMITS } from "../fixtures/listen-limits.ts";
import { fromPlainResponse, toPlainResponse } from "../fixtures/plain-response.ts";
import { toPlainRequest, type BrokenResponder } from "./breaks/break.ts";

/** `respond` replaces the service, which it may call. */
export function breakService(
  service: HttpService,
  respond: BrokenResponder | undefined,
): HttpService {
  if (respond === undefined) return service;
  const context: Parameters<BrokenResponder>[1] = {
    real: async (request) => toPlainResponse(await service.respond(request)),
  };
  return {
    ...service,
    respond: async (request) => fromPlainResponse(await respond(toPlainRequest(request), context)),
  };
}

/** `tamper` changes the HTTP server below the service. */
export async function serveBroken(service: HttpService, tamper?: (server: Server) => void) {
  const server = createServiceServer(service, { limits: LOOPBACK_LIMITS });
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
