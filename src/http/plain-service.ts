/** A service of a few paths, without the contract that `createHttpService` binds. */
import { randomUUID } from "node:crypto";
import type { HttpService } from "./create-http-service.ts";
import type { RawRequest } from "./request.ts";
import { completeResponse, withoutBody, type HttpResponse } from "./response.ts";

export interface PlainServiceSettings {
  /** Returns the headers of every response. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Returns the response to HEAD as that to GET: its body is not sent. */
  handle(request: RawRequest): HttpResponse | Promise<HttpResponse>;
  errorResponse(status: number, message: string): HttpResponse;
}

export function createPlainService(settings: PlainServiceSettings): HttpService {
  const { headers, handle, errorResponse } = settings;
  const complete = (response: HttpResponse) => completeResponse(response, headers(), randomUUID());
  return {
    async respond(request) {
      const response = complete(await handle(request));
      return request.method === "HEAD" ? withoutBody(response) : response;
    },
    protocolErrorResponse: (error) =>
      complete(
        error.kind === "unexpected"
          ? errorResponse(500, "Internal server error")
          : errorResponse(400, "Malformed request"),
      ),
  };
}
