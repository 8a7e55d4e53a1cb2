/** The web-standard face of a service: `Request` in, `Response` out, on any runtime. */
import { toHttpResponse } from "./response.ts";
import type { HttpService } from "./create-http-service.ts";

export async function handleFetch(service: HttpService, request: Request): Promise<Response> {
  const answer = await service.answer({
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name),
    remoteAddress: undefined,
    body: () => request.body ?? EMPTY,
  });
  const { status, headers, body } = toHttpResponse(answer);
  return new Response(body, { status, headers });
}

const EMPTY: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
};

/** A URL without its origin; making the `Request` has already normalised it. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  const hash = url.indexOf("#");
  return url.slice(slash, hash < 0 ? undefined : hash);
}
