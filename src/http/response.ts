/** What a handler gives back. It may be made once and given many times. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** An answer as it goes out, with every header. */
export interface WireResponse {
  readonly status: number;
  /** Names and values in turn, which Node writes sooner than it looks through an object. */
  readonly headerList: readonly string[];
  readonly body: HttpResponse["body"];
}

export function toHeaderList(headers: HttpResponse["headers"]): string[] {
  return Object.entries(headers).flat();
}

/** For whoever wants to look at it: headers by name. */
export function toHttpResponse({ status, headerList, body }: WireResponse): HttpResponse {
  const headers: Record<string, string> = {};
  for (let index = 0; index < headerList.length; index += 2) {
    headers[headerList[index] ?? ""] = headerList[index + 1] ?? "";
  }
  return { status, headers, body };
}

export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonResponse(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: {
      "Content-Type": JSON_TYPE,
      ...headers,
      "Content-Length": String(Buffer.byteLength(body)),
    },
    body,
  };
}

export function redirectResponse(
  status: 302 | 303 | 308,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers: { Location: location, ...headers, "Content-Length": "0" }, body: null };
}
