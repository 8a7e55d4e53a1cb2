/** What a handler gives back. It may be made once and given many times. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonAnswer(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
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

export function redirectAnswer(
  status: 302 | 303 | 308,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { Location: location, ...headers, "Content-Length": "0" }, body: null };
}
