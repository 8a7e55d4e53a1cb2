import {
  requestText,
  type Fetch,
  type TextRequestError,
  type TextRequest,
} from "../transport/request-text.ts";

/** Why a request of the update client got no usable response. */
export type TransportError =
  | TextRequestError
  | { readonly kind: "http-status"; readonly status: number };

export type TextResponse =
  | { readonly kind: "text"; readonly text: string; readonly etag: string | null }
  | TransportError;

/** A conditional GET: "not modified" is the status 304. */
export async function fetchText(fetch: Fetch, request: TextRequest): Promise<TextResponse> {
  const response = await requestText(fetch, request);
  switch (response.kind) {
    case "text":
      return { kind: "text", text: response.text, etag: response.headers.get("ETag") };
    case "http-status":
      return { kind: "http-status", status: response.status };
    default:
      return response;
  }
}
