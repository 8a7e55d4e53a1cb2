/** A long text comes in parts: to join it with what stands around it, or with the headers, would copy it. */
export type Content = string | readonly string[] | Uint8Array<ArrayBuffer>;

/** A handler may make a response once and return it for many requests. */
export interface HttpResponse {
  readonly status: number;
  /** Without `X-Request-Id`, which every response gets, and without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `Set-Cookie`, a header that cannot be joined to one line (RFC 6265 3). */
  readonly cookies?: readonly string[];
  readonly body: Content | ReadableStream<Uint8Array> | null;
  /**
   * The body goes on until one side ends it. The service limits how many of these there are, so their
   * connections do not count as connections of the listener; each ends with its response.
   */
  readonly isLive?: true;
  /** The public code of an error, for the log. */
  readonly errorCode?: string;
}

/** A response with everything that is sent. */
export interface CompleteResponse extends Pick<HttpResponse, "status" | "body"> {
  /** Names and values in turn, in a list that `node:http` takes as it is; a name may come again. */
  readonly headers: string[];
  readonly isLive: boolean;
}

/** `common` is for headers that the response does not have itself. */
export function completeResponse(
  { status, headers: own, cookies, body, isLive }: HttpResponse,
  common: Readonly<Record<string, string>>,
  requestId: string,
): CompleteResponse {
  // To make one object of both for each response would cost 2 % of a release route.
  const headers: string[] = [];
  for (const name in common) {
    if (!Object.hasOwn(own, name)) headers.push(name, common[name] as string);
  }
  for (const name in own) headers.push(name, own[name] as string);
  headers.push("X-Request-Id", requestId);
  if (cookies !== undefined) {
    for (const cookie of cookies) headers.push("Set-Cookie", cookie);
  }
  return { status, headers, body, isLive: isLive === true };
}

/** The response to HEAD in place of that to GET. */
export function withoutBody(response: CompleteResponse): CompleteResponse {
  cancelBody(response);
  return { status: response.status, headers: response.headers, body: null, isLive: false };
}

/** Ends a body that will not be read. */
export function cancelBody({ body }: CompleteResponse): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
}

export function headerEntries({ headers }: CompleteResponse): [name: string, value: string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[2 * index] ?? "",
    headers[2 * index + 1] ?? "",
  ]);
}

export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonResponse(
  status: number,
  body: Content,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return contentResponse(status, JSON_TYPE, body, headers);
}

export function contentResponse(
  status: number,
  contentType: string,
  body: Content,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status,
    headers: {
      "Content-Type": contentType,
      ...headers,
      "Content-Length": String(byteLength(body)),
    },
    body,
  };
}

export function isInParts(body: HttpResponse["body"]): body is readonly string[] {
  return Array.isArray(body);
}

/** The body with its parts joined, for callers that cannot take parts. */
export function joinBody(
  body: HttpResponse["body"],
): Exclude<HttpResponse["body"], readonly string[]> {
  return isInParts(body) ? body.join("") : body;
}

function byteLength(content: Content): number {
  return isInParts(content)
    ? content.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
    : Buffer.byteLength(content);
}

export function redirectResponse(
  status: 302 | 303 | 308,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers: { Location: location, ...headers, "Content-Length": "0" }, body: null };
}

export function preflightResponse(
  methods: readonly string[],
  requestHeaders: readonly string[],
  maxAgeSeconds: number,
): HttpResponse {
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": requestHeaders.join(", "),
      "Access-Control-Max-Age": String(maxAgeSeconds),
    },
    body: null,
  };
}
