/** A service as a function from `Request` to `Response`, on any runtime. */
import type { HttpService } from "./create-http-service.ts";
import { headerEntries, joinBody, type CompleteResponse } from "./response.ts";

export async function handleFetch(service: HttpService, request: Request): Promise<Response> {
  const response = await service.respond({
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name) ?? framingHeader(request, name),
    remoteAddress: undefined,
    body: () => request.body ?? EMPTY,
    signal: request.signal,
  });
  return toFetchResponse(response);
}

/** A `Request` has lost its framing: its body is as one that says no length. */
function framingHeader({ body, headers }: Request, name: string): string | null {
  const isMissing = name === "transfer-encoding" && body !== null && !headers.has("content-length");
  return isMissing ? "chunked" : null;
}

export function toFetchResponse(response: CompleteResponse): Response {
  const { status, body } = response;
  return new Response(joinBody(body), { status, headers: headerEntries(response) });
}

const EMPTY: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
};

/** A URL without its origin; the `Request` has already normalised it. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  const hash = url.indexOf("#");
  return url.slice(slash, hash < 0 ? undefined : hash);
}
