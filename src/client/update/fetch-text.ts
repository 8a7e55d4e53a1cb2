/** A GET that may be answered "not modified". */
import {
  exchangeText,
  type ExchangeError,
  type Fetch,
  type TextRequest,
} from "../transport/exchange-text.ts";

export type TransportError =
  | ExchangeError
  | { readonly kind: "http-status"; readonly status: number };

export type TextResponse =
  | { readonly kind: "text"; readonly text: string; readonly etag: string | null }
  | { readonly kind: "not-modified" };

export async function fetchText(
  fetch: Fetch,
  request: TextRequest,
): Promise<TextResponse | TransportError> {
  const answer = await exchangeText(fetch, request);
  switch (answer.kind) {
    case "text":
      return { kind: "text", text: answer.text, etag: answer.headers.get("ETag") };
    case "http-status":
      return answer.status === 304
        ? { kind: "not-modified" }
        : { kind: "http-status", status: answer.status };
    default:
      return answer;
  }
}
