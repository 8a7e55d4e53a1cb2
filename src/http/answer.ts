/** What a handler gives back. It may be made once and given many times. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** An answer as it goes out, with every header. */
export interface CompleteAnswer {
  readonly status: number;
  /** Names and values in turn, which Node writes sooner than it looks through an object. */
  readonly headerList: readonly string[];
  readonly body: Answer["body"];
}

export function toHeaderList(headers: Answer["headers"]): string[] {
  return Object.entries(headers).flat();
}

/** For whoever wants to look at it: headers by name. */
export function toAnswer({ status, headerList, body }: CompleteAnswer): Answer {
  const headers: Record<string, string> = {};
  for (let index = 0; index < headerList.length; index += 2) {
    headers[headerList[index] ?? ""] = headerList[index + 1] ?? "";
  }
  return { status, headers, body };
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
